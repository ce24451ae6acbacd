import { type Db, type Statement, sql } from '../database/db.ts'

export type ClinicianRow = {
  id: string
  name: string
  role: string
  public_key: Buffer
  added_by: string
  added_at: Date
  revoked_by: string | null
  revoked_at: Date | null
  seal: Buffer
}

/** A signature, who made it, and the hash of what was signed. */
export type SignatureRow = {
  id: string
  version: string
  sha256: string
  complaints: string[] | null
  signed_at: Date
  signature: Buffer
  clinician_id: string
}

/** Effect: lets someone sign releases for the account. Row: {id, name, role, public_key (hex), added_by, seal (hex)}. An existing key undoes the batch. */
export const INSERT_CLINICIAN: Statement = sql(
  'clinician_insert',
  `with given as (select * from jsonb_to_recordset($2::jsonb) as g(id uuid, name text, role text, public_key text, added_by text, seal text)),
   done as (
     insert into clinicians (account_id, id, name, role, public_key, added_by, seal)
     select $1, g.id, g.name, g.role, decode(g.public_key, 'hex'), g.added_by, decode(g.seal, 'hex') from given g
     where not exists (select 1 from clinicians c where c.account_id = $1 and c.public_key = decode(g.public_key, 'hex')) returning 1)
   select expect_rows((select count(*) from done), (select count(*) from given)), pg_notify('fyr_content', json_build_object('account', $1::text)::text)`,
)

/** Effect: revokes a clinician's key, and with it all its signatures. Row: {id, revoked_by}. */
export const END_CLINICIAN: Statement = sql(
  'clinician_end',
  `with given as (select * from jsonb_to_recordset($2::jsonb) as g(id uuid, revoked_by text)),
   done as (
     update clinicians c set revoked_at = clock_timestamp(), revoked_by = g.revoked_by
     from given g where c.account_id = $1 and c.id = g.id and c.revoked_at is null returning c.id)
   select expect_rows((select count(*) from done), (select count(*) from given)), pg_notify('fyr_content', json_build_object('account', $1::text)::text)`,
)

/** Effect: a signature. Row: {id, clinician_id, version, complaints | null, signed_at, signature (hex)}. */
export const INSERT_SIGNATURE: Statement = sql(
  'signature_insert',
  `with given as (select * from jsonb_to_recordset($2::jsonb)
     as g(id uuid, clinician_id uuid, version text, complaints jsonb, signed_at timestamptz, signature text)),
   done as (
     insert into release_signatures (account_id, id, clinician_id, version, complaints, signed_at, signature)
     select $1, g.id, g.clinician_id, g.version, nullif(g.complaints, 'null'), g.signed_at, decode(g.signature, 'hex') from given g returning 1)
   select expect_rows((select count(*) from done), (select count(*) from given)), pg_notify('fyr_content', json_build_object('account', $1::text)::text)`,
)

const LIST = sql(
  'clinician_list',
  `select id, name, role, public_key, added_by, added_at, revoked_by, revoked_at, seal from clinicians
   where account_id = $1 order by added_at, id`,
)
const SIGNATURES = sql(
  'signature_list',
  `select s.id, s.version, r.sha256, s.complaints, s.signed_at, s.signature, s.clinician_id
   from release_signatures s, content_releases r where s.account_id = $1 and r.version = s.version order by s.signed_at, s.id`,
)

export const listClinicians = (db: Db, accountId: string): Promise<ClinicianRow[]> =>
  db.query<ClinicianRow>(LIST, [accountId])

/** All signatures of an account, valid or not, oldest first. */
export const listSignatures = (db: Db, accountId: string): Promise<SignatureRow[]> =>
  db.query<SignatureRow>(SIGNATURES, [accountId])
