-- Passkeys for signing in to the console without an OpenID provider.
create table console_passkeys (
  -- The id of the credential.
  id text primary key,
  person_id text not null references console_people (id),
  public_key text not null,
  counter bigint not null,
  transports text[] not null,
  name text not null,
  added_at timestamptz not null,
  used_at timestamptz
);
create index console_passkeys_of_a_person on console_passkeys (person_id);

-- A link with which one person can sign in once. The table does not contain the link itself.
create table console_invitations (
  id text primary key,
  email text not null,
  name text not null,
  roles text[] not null,
  -- A person who exists already and adds a passkey.
  person_id text references console_people (id),
  is_first_admin boolean not null,
  -- Null if a command created it.
  made_by text,
  made_at timestamptz not null,
  ends_at timestamptz not null,
  used_at timestamptz,
  withdrawn_at timestamptz
);

-- Used challenges, so that none is used twice.
create table console_challenges (
  id text primary key,
  ends_at timestamptz not null
);
