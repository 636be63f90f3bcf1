-- Who signs in to the console by a passkey, where there is no OpenID provider.
create table console_passkeys (
  -- The credential's own id.
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

-- A link that lets one person in once: who reads the table cannot follow it.
create table console_invitations (
  id text primary key,
  email text not null,
  name text not null,
  roles text[] not null,
  -- Of somebody who is there already, and gets another passkey.
  person_id text references console_people (id),
  is_first_admin boolean not null,
  -- Null where a command made it.
  made_by text,
  made_at timestamptz not null,
  ends_at timestamptz not null,
  used_at timestamptz,
  withdrawn_at timestamptz
);

-- Challenges that were answered: none is answered twice.
create table console_challenges (
  id text primary key,
  ends_at timestamptz not null
);
