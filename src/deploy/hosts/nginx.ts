import { contentTypes } from '../../api/content-types.ts';
import { root } from '../../api/paths.ts';
import { idSource } from '../../catalogue/id.ts';
import type { HostFiles, SiteAt } from './host.ts';
import { fixedProblems, nameIn, patternOf, twiceIn, siteFor } from './web-server.ts';

export const files: HostFiles = (site) => ({ 'almanac.conf': conf(site) });

function filterMaps(name: string): string {
  return `# ${name}: as it is given, as a part of a path, and whether it is given twice.
# A value that is no id leads to a folder that is never there, so it is never an unfiltered list.
map $args $almanac_given_${name} {
    default "";
    "~(?:^|&)${nameIn(name)}=(?<almanac_value_${name}>[^&]+)" $almanac_value_${name};
}
map $almanac_given_${name} $almanac_${name} {
    default "/-";
    "" "";
    "~^(?<almanac_id_${name}>${idSource})$" "/${name}/$almanac_id_${name}";
}
map $args $almanac_twice_${name} {
    default "";
    "~${twiceIn(name)}" 1;
}
`;
}

/** nginx adds the charset by itself, and to text/html unasked. */
const types = Object.entries(contentTypes).map(([ending, type]) => [ending, type.split(';', 1)[0] ?? ''] as const);

function conf({ mount, site, baseUrl }: SiteAt): string {
  const { repeated, method } = fixedProblems(baseUrl);
  const at = patternOf(mount);
  return `# Answers the filters of the query form from the files of the site. limit is ignored.
${['category', 'genre'].map(filterMaps).join('')}
map $almanac_twice_category$almanac_twice_genre $almanac_twice_either {
    default 1;
    "" "";
}
map $http_accept $almanac_index {
    default index.json;
    "~*^text/html" index.html;
}
map $status $almanac_cache {
    default "public, max-age=60";
    "~^(200|304)$" "public, max-age=300";
}
map $status $almanac_allow {
    default "";
    "~^(204|405)$" "GET, HEAD, OPTIONS";
}

server {
    listen 80;
    server_name example.org;
    root ${JSON.stringify(siteFor('nginx', site, /[$\p{Cc}]/u))};

    absolute_redirect off;
    merge_slashes off;
    types {
${types.map(([ending, type]) => `        ${type} ${ending};\n`).join('')}    }
    charset utf-8;
    charset_types ${types
      .map(([, type]) => type)
      .filter((type) => /^text\/(?!html$)/.test(type))
      .join(' ')};
    default_type application/octet-stream;
    # What build --compress wrote beside the files. Where nginx has the module for it, brotli_static on; sends the .br.
    gzip_static on;
    gzip_vary on;

    add_header Access-Control-Allow-Origin * always;
    add_header Access-Control-Expose-Headers ETag always;
    add_header Vary $almanac_vary always;
    add_header Access-Control-Allow-Methods "GET, HEAD, OPTIONS" always;
    add_header Access-Control-Allow-Headers If-None-Match always;
    add_header Cache-Control $almanac_cache always;
    add_header Allow $almanac_allow always;

    error_page 404 @missing;
    error_page 405 @method;

    set $almanac_vary "";
    if ($request_method = OPTIONS) { return 204; }
    if ($request_method !~ ^(GET|HEAD)$) { return 405; }
${mount === '' ? '' : `    if ($uri ~ "^${at}$") { return 308 "${mount}/$is_args$args"; }\n    if ($uri !~ "^${at}/") { return 404; }\n    rewrite "^${at}(/.*)$" $1;\n`}    # No location is meant for such a path, and to the disk two slashes are one.
    if ($uri ~ "//") { return 404; }

    location / { try_files $uri =404; }
    location = / { rewrite ^ /index.html break; }
    location ~ ^/${root}/?$ { set $almanac_vary Accept; rewrite ^ /${root}/$almanac_index break; }
    location ~ ^/${root}/categories(?:\\.json|/)?$ { rewrite ^ /${root}/categories.json break; }
    location ~ ^/${root}/genres(?:\\.json|/)?$ {
        if ($almanac_twice_category) { rewrite ^ /-/repeated last; }
        rewrite ^ /${root}$almanac_category/genres.json break;
    }
    location ~ ^/${root}/events(?:\\.json|/)?$ {
        if ($almanac_twice_either) { rewrite ^ /-/repeated last; }
        rewrite ^ /${root}$almanac_category$almanac_genre/events.json break;
    }
    location = /404.json { types {} default_type application/problem+json; }
    location @missing { types {} default_type application/problem+json; try_files /404.json =404; }
    location = /-/repeated { internal; default_type application/problem+json; return 400 '${repeated}\\n'; }
    location @method { types {} default_type application/problem+json; return 405 '${method}\\n'; }
}
`;
}
