import { execFileSync } from 'node:child_process';

/** Tests of the command run what a user runs: the compiled program, compiled from the source under test. */
export default function setup(): void {
  execFileSync('npm', ['run', '--silent', 'compile'], { stdio: 'inherit' });
}
