import { existsSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { parseUrl, withoutCredentials } from '../../catalogue/url.ts';
import { readPackageFile } from '../../system/package.ts';
import { usage } from '../command.ts';

/** Where a catalogue installs almanac from. */
export interface Generator {
  readonly dependency: string;
  /** A semver range, the `file:` path of a vendored tarball, or the address of a tarball. */
  readonly version: string;
  /** A tarball that the catalogue holds: its path there, and where it is now. */
  readonly vendored?: { readonly path: string; readonly from: string };
}

/** The repository field of package.json begins with this until it names an owner. */
const unknownOwner = 'github:OWNER/';

type Manifest = Readonly<Record<'name' | 'version' | 'repository', string>>;

/** Returns where a new catalogue installs almanac from: `given`, in `cwd`, or this package. Throws `usage`. */
export function findGenerator(given: string | undefined, cwd: string): Generator {
  const manifest = JSON.parse(readPackageFile('package.json')) as Manifest;
  const thisPackage = { dependency: manifest.name, version: `^${manifest.version}` };
  if (given === undefined) {
    if (!manifest.repository.startsWith(unknownOwner)) return thisPackage;
    throw usage(
      'found no --package, and this copy of almanac does not know the name under which it is published; ' +
        'expected --package FILE.tgz, --package https://…/almanac.tgz or --package @scope/name',
    );
  }
  if (/^https:.*\.(tgz|tar\.gz)$/is.test(given)) return { ...thisPackage, version: addressOfTarball(given) };
  if (/\.(tgz|tar\.gz)$/.test(given)) return vendor(manifest, resolve(cwd, given.replace(/^file:/, '')), given);
  const [, name, version] = packageName.exec(given) ?? [];
  if (name !== undefined) return { dependency: name, version: version ?? thisPackage.version };
  throw usage(
    `found the package ${JSON.stringify(given)}; expected the path or the https address of a tarball (.tgz), ` +
      'or a package name such as @scope/almanac',
  );
}

const packageName =
  /^(@[a-z0-9~-][a-z0-9._~-]*\/[a-z0-9~-][a-z0-9._~-]*|[a-z0-9~-][a-z0-9._~-]*)(?:@([\w.^~<>=|* -]+))?$/;

/** Returns the address of a tarball. Throws the problem `usage` if it is not written as it is requested. */
function addressOfTarball(given: string): string {
  const url = parseUrl(given);
  if (url !== null) url.username = url.password = '';
  if (url?.href === given) return given;
  throw usage(
    `found the package ${JSON.stringify(withoutCredentials(given))}; expected the https address of a tarball without ` +
      `"..", a user name or white space${url === null ? '' : `: did you mean ${JSON.stringify(url.href)}?`}`,
  );
}

/** A catalogue holds its tarball, so that its workflows and every clone have it. */
function vendor({ name, version }: Manifest, from: string, given: string): Generator {
  if (!existsSync(from)) throw usage(`found no file ${JSON.stringify(given)}; create it with npm pack`);
  // A file named by npm pack may have another version than this program.
  const isPacked = /-\d+\.\d+\.\d+[\w.-]*\.tgz$/.test(from);
  const file = isPacked ? basename(from) : `${name.replace('@', '').replace('/', '-')}-${version}.tgz`;
  const path = `vendor/${file}`;
  return { dependency: name, version: `file:${path}`, vendored: { path, from } };
}
