import { afterAll } from 'vitest';
import './each-worker.ts';
import { closeFile } from './folders.ts';

// The files of a worker share its modules, but every file runs this one again.
afterAll(closeFile);
