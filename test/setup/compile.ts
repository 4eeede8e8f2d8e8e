import { execFileSync } from 'node:child_process';

/** Compiles the program for the tests that run it as a user does. */
export default function setup(): void {
  // Some tests check permissions, and some run as another user.
  process.umask(0o022);
  execFileSync('npm', ['run', '--silent', 'compile'], { stdio: 'inherit' });
}
