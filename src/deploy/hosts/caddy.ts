import { root } from '../../api/paths.ts';
import { idSource } from '../../catalogue/id.ts';
import { decodeSegment } from '../../server/query.ts';
import type { HostFiles, SiteAt } from './host.ts';
import { fixedProblems, nameIn, patternOf, twiceIn, siteFor } from './web-server.ts';

export const files: HostFiles = (site) => ({ Caddyfile: caddyfile(site) });

function filterMap(name: string): string {
  return `		map {query.${name}} {${name}_part} {
			~^$ ""
			~^(${idSource})$ "/${name}/\${1}"
			default "/-"
		}
`;
}

/**
 * Whether a parameter is given twice, which Caddy joins with commas; and whether it is given so that Caddy, which cannot
 * read it, drops it: that would be a list without its filter.
 */
function refusals(name: string): string {
  const unread = `(?:^|&)${nameIn(name)}=[^&]*(?:;|%(?:[^0-9A-Fa-f]|.[^0-9A-Fa-f]|.?$))`;
  return `		@${name}_twice expression \`{query}.matches('${twiceIn(name)}')\`
		@${name}_unread expression \`{query}.matches('${unread}')\`
`;
}

/** What asks for the path of the base URL without its slash is sent on, and nothing else is outside of it. */
function below(mount: string): string {
  return `		map {query} {asked} {
			~^(.+)$ "?\${1}"
			default ""
		}
		@bare path_regexp \`^${patternOf(mount)}$\`
		header @bare Cache-Control "public, max-age=60"
		redir @bare ${mount}/{asked} 308
		@outside not path_regexp \`^${patternOf(mount)}/\`
		error @outside 404
		uri strip_prefix ${encodeURI(decodeSegment(mount))}
`;
}

/** The files of the site, or what build --compress wrote beside them. */
function filesAt(depth: number): string {
  const lines = ['file_server {', '\tprecompressed br gzip', '\tdisable_canonical_uris', '}'];
  return lines.map((line) => `${'\t'.repeat(depth)}${line}\n`).join('');
}

function caddyfile({ mount, site, baseUrl }: SiteAt): string {
  const { repeated, method } = fixedProblems(baseUrl);
  return `:80 {
	# Answers the filters of the query form from the files of the site. limit is ignored.
	root * \`${siteFor('Caddy', site, /[{}`\p{Cc}]/u)}\`
	header {
		Access-Control-Allow-Origin *
		Access-Control-Expose-Headers ETag
		Cache-Control "public, max-age=300"
		?Vary Accept-Encoding
	}
	route {
${filterMap('category')}${filterMap('genre')}
		@options method OPTIONS
		header @options Access-Control-Allow-Methods "GET, HEAD, OPTIONS"
		header @options Access-Control-Allow-Headers If-None-Match
		respond @options 204
		@method not method GET HEAD
		error @method 405
		# Matchers and the disk take two slashes for one.
		@doubled expression \`{path}.contains('//')\`
		error @doubled 404
${mount === '' ? '' : below(mount)}
		# Caddy joins what is given twice with commas, and drops what it cannot read.
${refusals('category')}${refusals('genre')}
		@events path_regexp ^/${root}/events(\\.json|/)?$
		handle @events {
			error @category_twice 400
			error @genre_twice 400
			error @category_unread 404
			error @genre_unread 404
			rewrite * /${root}{category_part}{genre_part}/events.json
${filesAt(3)}		}
		@genres path_regexp ^/${root}/genres(\\.json|/)?$
		handle @genres {
			error @category_twice 400
			error @category_unread 404
			rewrite * /${root}{category_part}/genres.json
${filesAt(3)}		}
		@categories path_regexp ^/${root}/categories(\\.json|/)?$
		rewrite @categories /${root}/categories.json
		@index path /${root} /${root}/
		rewrite @index /${root}/index.json
		@calendar path *.ics
		header @calendar Content-Type "text/calendar; charset=utf-8"
${filesAt(2)}	}
	handle_errors {
		header {
			Access-Control-Allow-Origin *
			Access-Control-Expose-Headers ETag
			Cache-Control "public, max-age=60"
			Content-Type application/problem+json
		}
		@repeated expression \`{err.status_code} == 400\`
		respond @repeated \`${repeated}\` 400
		@refused expression \`{err.status_code} == 405\`
		header @refused Allow "GET, HEAD, OPTIONS"
		respond @refused \`${method}\` 405
		rewrite * /404.json
		file_server {
			status 404
		}
	}
}
`;
}
