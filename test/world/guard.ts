import { Guard, type GuardSettings } from '../../src/events/delivery/guard.ts'

/** The rules for addresses of webhooks that a test is under: this machine is let, and what is given besides. */
export const guardWith = (more: Partial<GuardSettings> = {}): Guard =>
  new Guard({
    WEBHOOK_PORTS: [443],
    WEBHOOK_ALLOW_LOOPBACK: true,
    WEBHOOK_ALLOWED_TARGETS: [],
    WEBHOOK_DNS_SERVERS: [],
    DATABASE_URL: null,
    ...more,
  })
