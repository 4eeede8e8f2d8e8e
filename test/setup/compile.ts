import { execFileSync } from 'node:child_process';

/** Tests of the command run what a user runs: the compiled program, compiled from the source under test. */
export default function setup(): void {
  // Whatever umask it is run with: some tests look at rights, and some are another user's.
  process.umask(0o022);
  execFileSync('npm', ['run', '--silent', 'compile'], { stdio: 'inherit' });
}
