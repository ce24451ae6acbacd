"""A client made from openapi.json alone, with nothing but Python's own library: one method for each operation.

Usage: client.py <openapi.json> <base url> <key> <configuration>. Prints what it did as JSON.
"""

import json
import sys
import urllib.parse
import urllib.request
import uuid


class Client:
    def __init__(self, document, base):
        self.base = base
        self.credentials = {}
        for path, methods in document["paths"].items():
            for method, operation in methods.items():
                setattr(self, operation["operationId"], self.made(path, method, operation, document))

    def made(self, path, method, operation, document):
        security = operation.get("security", document["security"])

        def call(body=None, **given):
            headers, query, place = {}, {}, path
            for scheme in [name for one in security for name in one if name in self.credentials]:
                headers.update(self.credentials[scheme])
            for parameter in operation.get("parameters", []):
                name = parameter["name"]
                value = given.pop(name.replace("-", "_"), None)
                if value is None:
                    assert not parameter.get("required"), f"{name} is required"
                elif parameter["in"] == "path":
                    place = place.replace("{" + name + "}", urllib.parse.quote(str(value), safe=""))
                elif parameter["in"] == "query":
                    query[name] = value
                else:
                    headers[name] = str(value)
            assert not given, f"{operation['operationId']} does not take {list(given)}"
            data = None
            if body is not None:
                headers["content-type"] = next(iter(operation["requestBody"]["content"]))
                data = body if isinstance(body, bytes) else json.dumps(body).encode()
            address = f"{self.base}{place}{'?' + urllib.parse.urlencode(query) if query else ''}"
            request = urllib.request.Request(address, data=data, headers=headers, method=method.upper())
            with urllib.request.urlopen(request) as reply:
                assert str(reply.status) in operation["responses"], f"{reply.status} is not described"
                text = reply.read()
                return json.loads(text) if "json" in reply.headers.get("content-type", "") else text

        return call


document = json.load(open(sys.argv[1], encoding="utf-8"))
client = Client(document, sys.argv[2])
client.credentials["key"] = {"X-Service-API-Key": sys.argv[3]}

created = client.createSession({"text": "Sore throat since yesterday", "languageCode": "en"})
entered = client.enterInvited({"secret": created["url"].split("#")[1], "credential": "bearer"})
client.credentials["sessionSecret"] = {"Authorization": f"Bearer {entered['secret']}"}

# Every question of the first screen, answered by what it offers.
view = client.getOwnSession()
answers = [
    {"question": one["id"], "value": one["options"][0]["id"] if one.get("options") else 34}
    for one in view["step"]["questions"]
]
view = client.answerScreen({"id": str(uuid.uuid4()), "answers": answers, "version": view["version"]})

file_id, bytes_ = str(uuid.uuid4()), b"%PDF-1.4\n" + b" " * 100
client.announceFile({"id": file_id, "name": "letter.pdf", "size": len(bytes_) + 1})
part = client.sendFileBytes(bytes_, fileId=file_id, upload_offset=0)

print(
    json.dumps(
        {
            "status": client.getSessionStatus(sessionId=created["sessionId"])["sessionStatus"],
            "summary": client.getSessionSummary(sessionId=created["sessionId"], language="fi")["data"],
            "screen": view["step"]["screen"],
            "received": part["received"],
            "open": client.getConfiguration(slug=sys.argv[4])["gate"]["open"],
            "listed": len(client.listSessions()["sessions"]),
        }
    )
)
