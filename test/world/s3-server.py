"""A whole OpenStack Swift with its S3 interface in one process, on the disk of one folder.

    s3-server.py --check FOLDER            whether it can run here
    s3-server.py FOLDER PORT ID SECRET     serves until it is ended; prints "ready"
"""
import os
import sys


def can_run(folder):
    """Swift is there, and the disk keeps the attributes that it notes an object's length and hash in."""
    from importlib.util import find_spec

    if find_spec('swift') is None:
        return False
    probe = os.path.join(folder, f'.attributes-{os.getpid()}')
    try:
        with open(probe, 'w'):
            os.setxattr(probe, 'user.swift.metadata', b'x')
    except OSError:
        return False
    finally:
        os.unlink(probe)
    return True


if sys.argv[1] == '--check':
    sys.exit(0 if can_run(sys.argv[2]) else 1)

import eventlet
from eventlet import wsgi

eventlet.monkey_patch(all=False, socket=True, select=True, thread=True)

from swift.account.server import AccountController
from swift.common import utils
from swift.common.middleware import tempauth
from swift.common.middleware.s3api import s3api
from swift.common.ring import RingBuilder
from swift.common.wsgi import SwiftHttpProtocol
from swift.container.server import ContainerController
from swift.obj.server import ObjectController
from swift.proxy.server import Application

folder, port, key_id, secret = sys.argv[1], int(sys.argv[2]), sys.argv[3], sys.argv[4]
devices = os.path.join(folder, 'devices')
os.makedirs(os.path.join(devices, 'd1'), exist_ok=True)
# Read from /etc/swift otherwise: where objects lie is a hash over their name and this.
utils.HASH_PATH_PREFIX, utils.HASH_PATH_SUFFIX = b'', b'fyr'
logger = utils.get_logger({'log_level': 'CRITICAL'}, 'swift')
conf = {'devices': devices, 'mount_check': 'false', 'swift_dir': folder, 'account_autocreate': 'true'}

INSIDE = {'account': AccountController, 'container': ContainerController, 'object': ObjectController}
sockets = {name: eventlet.listen(('127.0.0.1', 0)) for name in INSIDE}
for name, listening in sockets.items():
    ring = RingBuilder(part_power=1, replicas=1, min_part_hours=0)
    ring.add_dev(
        {'id': 0, 'region': 1, 'zone': 1, 'weight': 1, 'ip': '127.0.0.1', 'port': listening.getsockname()[1], 'device': 'd1'}
    )
    ring.rebalance()
    ring.get_ring().save(os.path.join(folder, f'{name}.ring.gz'))


def serve(listening, app):
    wsgi.server(listening, app, utils.NullLogger(), log_output=False, protocol=SwiftHttpProtocol)


for name, controller in INSIDE.items():
    eventlet.spawn(serve, sockets[name], controller(conf, logger=logger))


class Forgetful:
    """Stands in for memcached: nothing is remembered, so nothing can be out of date."""

    def get(self, *_args, **_more):
        return None

    set = delete = get


def remembering(app):
    def called(env, start_response):
        env['swift.cache'] = Forgetful()
        return app(env, start_response)

    return called


users = tempauth.filter_factory({}, **{f'user_{key_id.replace(":", "_")}': f'{secret} .admin'})
interface = s3api.filter_factory({}, location='us-east-1')
front = remembering(interface(users(Application(conf, logger=logger))))
listening = eventlet.listen(('127.0.0.1', port))
print('ready', flush=True)
serve(listening, front)
