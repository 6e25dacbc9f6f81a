import { totalmem } from 'node:os';
import { getHeapStatistics } from 'node:v8';

const MIB = 1024 * 1024;

/** What the process takes at rest and with garbage on its way, and for each byte of the cache; measured under load. */
const BASE_BYTES = 217 * MIB;
const BYTES_PER_CACHED_BYTE = 1.3;
/** Share of the memory that a process may take before a container is killed. */
const MEMORY_SHARE = 0.85;
/** What the heap takes besides cached data. */
const BASE_HEAP_BYTES = 128 * MIB;
/** Share of the cache that is data, in the heap; the rest are responses, outside of it. */
const DATA_SHARE = 0.5;

/** What a process may take, in bytes. */
export interface Memory {
  /** V8's bound of the heap. */
  heap: number;
  /** Of the machine, or of the container (cgroup) where that is less. */
  machine: number;
}

/** Returns what this process may take. */
export function memoryOfProcess(): Memory {
  const constrained = process.constrainedMemory();
  const total = totalmem();
  return {
    heap: getHeapStatistics().heap_size_limit,
    machine: constrained > 0 ? Math.min(constrained, total) : total,
  };
}

/** Returns the largest cache that fits, in whole MiB, at least 1. */
export function maxCacheMiB({ heap, machine }: Memory): number {
  const byHeap = (heap - BASE_HEAP_BYTES) / (DATA_SHARE * BYTES_PER_CACHED_BYTE);
  const byMachine = (machine * MEMORY_SHARE - BASE_BYTES) / BYTES_PER_CACHED_BYTE;
  return Math.max(1, Math.floor(Math.min(byHeap, byMachine) / MIB));
}
