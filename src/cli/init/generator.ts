import { existsSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { withoutCredentials } from '../../catalogue/url.ts';
import { readPackageFile } from '../../system/package.ts';
import { isAddress } from '../../site/site.ts';
import { usage } from '../command.ts';

/** The package from which a catalogue installs almanac. */
export interface Generator {
  readonly dependency: string;
  /** A semver range, or the `file:` path of a vendored tarball. */
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
        'expected --package FILE.tgz or --package @scope/name',
    );
  }
  if (/\.(tgz|tar\.gz)$/.test(given) && !isAddress(given))
    return vendor(manifest, resolve(cwd, given.replace(/^file:/, '')), given);
  const [, name, version] = packageName.exec(given) ?? [];
  if (name !== undefined) return { dependency: name, version: version ?? thisPackage.version };
  throw usage(
    `found the package ${JSON.stringify(withoutCredentials(given))}; expected the path of a tarball (.tgz), ` +
      'or a package name such as @scope/almanac',
  );
}

const packageName =
  /^(@[a-z0-9~-][a-z0-9._~-]*\/[a-z0-9~-][a-z0-9._~-]*|[a-z0-9~-][a-z0-9._~-]*)(?:@([\w.^~<>=|* -]+))?$/;

/** A catalogue holds its tarball, so that its workflows and every clone have it. */
function vendor({ name, version }: Manifest, from: string, given: string): Generator {
  if (!existsSync(from)) throw usage(`found no file ${JSON.stringify(given)}; create it with npm pack`);
  // A file named by npm pack may have another version than this program.
  const isPacked = /-\d+\.\d+\.\d+[\w.-]*\.tgz$/.test(from);
  const file = isPacked ? basename(from) : `${name.replace('@', '').replace('/', '-')}-${version}.tgz`;
  const path = `vendor/${file}`;
  return { dependency: name, version: `file:${path}`, vendored: { path, from } };
}
