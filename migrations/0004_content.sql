-- Compiled content releases. Sessions pin one; several are live at once; a published one never changes and never goes.
create table content_releases (
  version text primary key,
  sha256 text not null,
  source_sha256 text not null,
  -- What was run before it was published: complaints, worked cases, made-up patients.
  checks jsonb not null,
  published_by text not null,
  published_at timestamptz(3) not null default clock_timestamp(),
  -- A hash over version and sha256, keyed with the master key: a row that was written past the program is not loaded.
  seal bytea not null
);

create function content_releases_stay() returns trigger language plpgsql as $$
begin
  raise exception 'published releases never change';
end $$;
create trigger content_releases_stay before update or delete or truncate on content_releases
  for each statement execute function content_releases_stay();

-- The text of a release, in parts: no statement has to carry many megabytes.
create table content_texts (
  sha256 text not null,
  part integer not null,
  text text not null,
  primary key (sha256, part)
);
create trigger content_texts_stay before update or delete or truncate on content_texts
  for each statement execute function content_releases_stay();

-- Which release new sessions begin with, and every change of it: the last row of a configuration counts. No version means that it follows
-- the deployment. The deployment's own rows have zeros for the account and the configuration.
create table content_activations (
  account_id uuid not null,
  configuration_id uuid not null,
  id bigint generated always as identity,
  version text references content_releases (version),
  before text,
  activated_by text not null,
  activated_at timestamptz(3) not null default clock_timestamp(),
  primary key (account_id, configuration_id, id)
);

-- Who reviews content for an account, by the Ed25519 key that only they have.
create table clinicians (
  account_id uuid not null,
  id uuid not null,
  name text not null,
  role text not null,
  public_key bytea not null,
  added_by text not null,
  added_at timestamptz(3) not null default clock_timestamp(),
  revoked_by text,
  revoked_at timestamptz(3),
  -- Keyed with the master key over the rest: nobody becomes a clinician by a row alone.
  seal bytea not null,
  primary key (account_id, id)
);

-- A clinician's review of a release, for their account. Believed only as far as the signature verifies.
create table release_signatures (
  account_id uuid not null,
  id uuid not null,
  clinician_id uuid not null,
  version text not null references content_releases (version),
  -- The complaints that were reviewed; null is the whole release.
  complaints jsonb,
  signed_at timestamptz(3) not null,
  signature bytea not null,
  primary key (account_id, id)
);
