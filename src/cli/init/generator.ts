import { existsSync } from 'node:fs';
import { relative, resolve, sep } from 'node:path';
import { readPackageFile } from '../../system/package.ts';
import { usage } from '../settings.ts';

/** Where a catalogue installs almanac from, and whose workflows it calls. */
export interface Generator {
  /** The name of the dependency. */
  readonly dependency: string;
  /** A semver range, a `file:` path or the address of a tarball. */
  readonly version: string;
  /** The GitHub repository `owner/name`. */
  readonly repository: string;
  /** The floating tag of the major version, such as `v1`. */
  readonly tag: string;
}

/** Stands for the owner in the repository field of package.json until there is one. */
export const unknownOwner = 'OWNER';

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly repository: string;
}

/**
 * Finds out where a new catalogue installs almanac from: `given` (a tarball, the address of one, or a package name) or
 * this package itself. Throws the problem `usage` if neither is possible.
 *
 * @param cwd the working directory, against which `given` is resolved
 * @param folder the folder of the catalogue
 */
export function findGenerator(given: string | undefined, cwd: string, folder: string): Generator {
  const manifest = JSON.parse(readPackageFile('package.json')) as Manifest;
  const repository = manifest.repository.replace(/^github:/, '');
  const tag = `v${manifest.version.split('.')[0]}`;
  const range = `^${manifest.version}`;
  const thisPackage = { dependency: manifest.name, version: range, repository, tag };
  if (given === undefined) {
    if (!repository.startsWith(`${unknownOwner}/`)) return thisPackage;
    throw usage(
      'found no --package, and this copy of almanac does not know the name under which it is published; ' +
        'expected --package FILE.tgz, --package https://…/almanac.tgz or --package @scope/name',
    );
  }
  if (/^https:\/\/\S+\.(tgz|tar\.gz)$/.test(given)) {
    const [, onGitHub] = /^https:\/\/github\.com\/([\w.-]+\/[\w.-]+)\//.exec(given) ?? [];
    return { ...thisPackage, version: given, repository: onGitHub ?? repository };
  }
  if (/\.(tgz|tar\.gz)$/.test(given)) return { ...thisPackage, version: `file:${pathOfTarball(given, cwd, folder)}` };
  const [, name, version] = packageName.exec(given) ?? [];
  if (name !== undefined) return { ...thisPackage, dependency: name, version: version ?? range };
  throw usage(
    `found the package ${JSON.stringify(given)}; expected the path or the https address of a tarball (.tgz), ` +
      'or a package name such as @scope/almanac',
  );
}

const packageName =
  /^(@[a-z0-9~-][a-z0-9._~-]*\/[a-z0-9~-][a-z0-9._~-]*|[a-z0-9~-][a-z0-9._~-]*)(?:@([\w.^~<>=|* -]+))?$/;

function pathOfTarball(given: string, cwd: string, folder: string): string {
  const path = resolve(cwd, given);
  if (!existsSync(path)) throw usage(`found no file ${JSON.stringify(given)}; create it with npm pack`);
  return relative(folder, path).split(sep).join('/');
}
