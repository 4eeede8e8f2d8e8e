set TimeZone = 'UTC';

create table category as
select split_part(filename, '/', -2) as id, name
from read_json('{data}/*/category.json', columns = {name: 'VARCHAR'}, filename = true);

create table genre as
select
  split_part(filename, '/', -2) || '-' || split_part(filename, '/', -3) as id,
  name,
  split_part(filename, '/', -3) as category
from read_json('{data}/*/*/genre.json', columns = {name: 'VARCHAR'}, filename = true);

create table subject as
select
  replace(split_part(filename, '/', -1), '.json', '') as id,
  split_part(filename, '/', -2) || '-' || split_part(filename, '/', -3) as genre,
  split_part(filename, '/', -3) as category,
  name,
  url,
  events
from read_json(
  '{data}/*/*/*.json',
  columns = {
    name: 'VARCHAR', url: 'VARCHAR',
    events: 'STRUCT(title VARCHAR, starts VARCHAR, zone VARCHAR, url VARCHAR, id VARCHAR)[]'
  },
  filename = true,
  maximum_object_size = 33554432
)
where filename not like '%/genre.json';

create table event as
with source as (
  select id as subject, genre, category, name as subject_name, url as subject_url, unnest(events) as e from subject
),
written as (
  select *,
    regexp_replace(e.starts, '(Z|[+-]\d\d:\d\d)$', '') as wall_text,
    regexp_extract(substr(e.starts, 11), '(Z|[+-]\d\d:\d\d)$') as written_offset
  from source
  where length(e.starts) >= 10
),
dated as (
  select *,
    case length(e.starts) when 10 then e.starts else wall_text end as text,
    case length(e.starts) when 10 then '' else written_offset end as zone_offset
  from written
),
timed as (
  select *,
    cast(text || substr('0000-00-00T00:00:00', length(text) + 1) as timestamp) as wall,
    case length(text) when 10 then 'day' when 13 then 'hour' when 16 then 'minute' else 'second' end as unit
  from dated
),
placed as (
  select *,
    case
      when unit = 'day' then wall
      when zone_offset = 'Z' then wall
      when zone_offset <> '' then
        wall - to_minutes(cast(zone_offset[1] || '1' as integer)
          * (cast(zone_offset[2:3] as integer) * 60 + cast(zone_offset[5:6] as integer)))
      else timezone(e.zone, wall) at time zone 'UTC'
    end as starts_at,
    case
      when unit <> 'day' then null
      when e.zone is null then wall + interval 36 hours
      else timezone(e.zone, wall + interval 1 day) at time zone 'UTC'
    end as day_over
  from timed
),
named as (
  select
    genre || '/' || subject || '/' || coalesce(
      e.id, trim(regexp_replace(lower(strip_accents(e.title)), '[^a-z0-9]+', '-', 'g'), '-')
    ) as id,
    strftime(starts_at, '%Y-%m-%dT%H:%M:%S.%gZ') as starts_at,
    strftime(coalesce(day_over, starts_at), '%Y-%m-%dT%H:%M:%S.%gZ') as upcoming_until,
    * exclude (starts_at)
  from placed
)
select id, genre, category, starts_at,
  to_json({
    'id': id, 'title': e.title, 'subject': {'id': subject, 'name': subject_name}, 'genre': genre,
    'category': category, 'starts_at': starts_at, 'date': text[1:10], 'zone': e.zone,
    'starts_local': case when e.zone is not null and unit <> 'day'
      then left(strftime(wall, '%Y-%m-%dT%H:%M:%S'), if(unit = 'second', 19, 16)) end,
    'time_known': unit <> 'day', 'precision': unit, 'url': coalesce(e.url, subject_url), 'upcoming_until': upcoming_until,
    'ends_at': null, 'end_date': null, 'location': null, 'over_at': null, 'status': 'confirmed', 'tags': [],
    'details': null, 'extra': null, 'updated_at': null
  }) as json
from named
where upcoming_until > '{now}';

create table soonest as
select * from event qualify row_number() over (partition by genre order by starts_at, id) <= 200;

create table soonest_of_category as
select * from soonest qualify row_number() over (partition by category order by starts_at, id) <= 200;

create table genre_record as
select g.id, g.name, g.category, coalesce(s.subjects, 0) as subjects, coalesce(e.upcoming, 0) as upcoming,
  coalesce(t.events, '') as events
from genre g
left join (select genre, count(*) as subjects from subject group by genre) s on s.genre = g.id
left join (select genre, count(*) as upcoming from event group by genre) e on e.genre = g.id
left join (select genre, string_agg(json, ',' order by starts_at, id) as events from soonest group by genre) t
  on t.genre = g.id;

create table category_record as
select c.id, c.name, count(g.id) as genres, cast(coalesce(sum(g.upcoming), 0) as bigint) as upcoming,
  coalesce(string_agg(
    to_json({'id': g.id, 'name': g.name, 'category': g.category, 'subjects': g.subjects, 'upcoming': g.upcoming}),
    ',' order by g.id), '') as genre_list,
  any_value(t.events) as events
from category c
left join genre_record g on g.category = c.id
left join (
  select category, string_agg(json, ',' order by starts_at, id) as events from soonest_of_category group by category
) t on t.category = c.id
group by c.id, c.name;

create macro events_text(genre, category, total, events) as
  '{"filters":' || to_json({'genre': genre, 'category': category}) || ',"limit":200,"total":' || total
  || ',"events":[' || coalesce(events, '') || ']}';

select 'api/v1/genre/' || id || '/events.json', events_text(id, null, upcoming, events) from genre_record
union all
select 'api/v1/category/' || c.id || '/genre/' || g.id || '/events.json',
  case when c.id = g.category
    then events_text(g.id, c.id, g.upcoming, g.events) else events_text(g.id, c.id, 0, '') end
from genre_record g cross join category c
union all
select 'api/v1/category/' || id || '/events.json', events_text(null, id, upcoming, events) from category_record
union all
select 'api/v1/category/' || id || '/genres.json', '{"filters":{"category":"' || id || '"},"genres":[' || genre_list || ']}'
from category_record
union all
select 'api/v1/events.json', events_text(null, null, (select count(*) from event), (
  select string_agg(json, ',' order by starts_at, id)
  from (select * from soonest_of_category order by starts_at, id limit 200)))
union all
select 'api/v1/genres.json', '{"filters":{"category":null},"genres":[' || string_agg(
  to_json({'id': id, 'name': name, 'category': category, 'subjects': subjects, 'upcoming': upcoming}),
  ',' order by id) || ']}' from genre_record
union all
select 'api/v1/categories.json', '{"categories":[' || string_agg(
  to_json({'id': id, 'name': name, 'genres': genres, 'upcoming': upcoming}), ',' order by id) || ']}' from category_record;
