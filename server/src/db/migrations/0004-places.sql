-- Where customers are served. `position` is the point on a map of Mercator (x, y in degrees): the built-in index over points
-- finds the nearest ones there, and near one another distances on that map keep their order.
create table shops (
  id text primary key,
  kind text not null,
  name text not null,
  title text not null,
  latitude double precision not null check (latitude between -90 and 90),
  longitude double precision not null check (longitude between -180 and 180),
  position point not null,
  address text not null,
  phone text not null,
  city text not null,
  region text not null
);
create index shops_position on shops using gist (position);

-- Digest of the last import, so that an unchanged pack is not imported again.
create table shop_imports (
  pack text primary key,
  digest text not null,
  imported_at timestamptz not null
);
