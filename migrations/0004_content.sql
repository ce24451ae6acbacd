-- Compiled content releases. Sessions pin one; several are live at once; a published one never changes.
create table content_releases (
  version text primary key,
  compiled text not null,
  sha256 text not null,
  source_sha256 text not null,
  published_at timestamptz(3) not null default clock_timestamp()
);
