-- Which accounts a clinic admin's database role may work on, where there are such roles (fyr database roles).
create table role_accounts (
  account_id uuid not null,
  role_name text not null,
  since timestamptz(3) not null default clock_timestamp(),
  primary key (account_id, role_name)
);
