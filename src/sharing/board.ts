/** Where all threads of a build see who makes which genre, and what concerns them all. */
export interface Board {
  /** Whether this thread is the one to make the genre with that index. */
  readonly claim: (index: number) => boolean;
  /** Whether this thread has made that claim. */
  readonly isMine: (index: number) => boolean;
  readonly finish: () => void;
  /** How many genres are made, by all threads. */
  readonly finished: () => number;
  /** Lets all threads know that something is wrong, so that there will be no site. */
  readonly giveUp: () => void;
  readonly isGivenUp: () => boolean;
  /** Lets all threads know that the site differs from the last one. */
  readonly change: () => void;
  readonly isChanged: () => boolean;
}

/** The memory of a board for so many genres. */
export function boardFor(genres: number): Int32Array {
  return new Int32Array(new SharedArrayBuffer((firstClaim + genres) * Int32Array.BYTES_PER_ELEMENT));
}

/** The numbers of threads on a board. */
export const [firstThread, secondThread] = [1, 2] as const;

/** A thread's view of a board. */
export function viewBoard(board: Int32Array, thread: number): Board {
  return {
    claim: (index) => Atomics.compareExchange(board, firstClaim + index, unclaimed, thread) === unclaimed,
    isMine: (index) => board[firstClaim + index] === thread,
    finish: () => void Atomics.add(board, finishedCell, 1),
    finished: () => Atomics.load(board, finishedCell),
    giveUp: () => void Atomics.store(board, givenUpCell, 1),
    isGivenUp: () => Atomics.load(board, givenUpCell) === 1,
    change: () => void Atomics.store(board, changedCell, 1),
    isChanged: () => Atomics.load(board, changedCell) === 1,
  };
}

const [finishedCell, givenUpCell, changedCell, firstClaim] = [0, 1, 2, 3] as const;
const unclaimed = 0;
