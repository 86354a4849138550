import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { PageWalk } from '../../../src/hosting/client/page-walk.ts';
import { createReadCaches } from '../../../src/hosting/client/read-cache.ts';
import { createReadStore } from '../../../src/hosting/client/read-store.ts';

const megabyte = 1024 * 1024;
const minuteMs = 60_000;

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** Creates a finished read of one page. */
function createWalk(changes: Partial<PageWalk> = {}): PageWalk {
  return {
    started: Promise.resolve(),
    read: async () => 'data',
    isReading: () => false,
    pageCount: () => 1,
    size: () => megabyte,
    ...changes,
  };
}

const readNow = (changes: Partial<PageWalk> = {}, acceptedAgeMs = 0) => ({
  walk: createWalk(changes),
  atMs: Date.now(),
  acceptedAgeMs,
});
const urlsOf = (reads: ReturnType<ReturnType<typeof createReadStore>>) => reads.list().map(([url]) => url);

describe('the store of all keys', () => {
  test('holds 64 MB together, and drops the least recently used read of any key', () => {
    const readsOf = createReadStore(Date.now);
    const [first, second] = [readsOf('first'), readsOf('second')];
    for (let index = 0; index < 30; index += 1) first.set(`/first/${index}`, readNow());
    for (let index = 0; index < 30; index += 1) second.set(`/second/${index}`, readNow());
    expect(first.get('/first/0')).toBeDefined();
    for (let index = 30; index < 40; index += 1) second.set(`/second/${index}`, readNow());
    expect(urlsOf(first).length + urlsOf(second).length).toBe(63);
    expect(first.get('/first/0')).toBeDefined();
    expect(first.get('/first/1')).toBeUndefined();
    expect(urlsOf(second)).toHaveLength(40);
  });

  test('drops reads after ten minutes or the age that was accepted, and long lists once they would be read again', () => {
    const reads = createReadStore(Date.now)('key');
    reads.set('/vps', readNow());
    reads.set('/week', readNow({}, 60 * minuteMs));
    reads.set('/list', readNow({ pageCount: () => 1_200 }));
    vi.advanceTimersByTime(10 * minuteMs);
    expect(urlsOf(reads)).toEqual(['/vps', '/week', '/list']);
    vi.advanceTimersByTime(minuteMs);
    expect(urlsOf(reads)).toEqual(['/week', '/list']);
    vi.advanceTimersByTime(49 * minuteMs);
    expect(urlsOf(reads)).toEqual(['/week', '/list']);
    vi.advanceTimersByTime(minuteMs);
    expect(urlsOf(reads)).toEqual(['/list']);
    vi.advanceTimersByTime(20 * minuteMs);
    expect(urlsOf(reads)).toEqual([]);
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe('the caches of two keys', () => {
  function setUp() {
    const cacheOf = createReadCaches(Date.now);
    const starts: string[] = [];
    async function read(key: string, maxAgeMs = minuteMs): Promise<void> {
      const loadNext = async () => undefined;
      await cacheOf(key).getOrLoad('/v1/vps', { lane: 'people', maxAgeMs, loadNext }, ({ onPage }) => {
        starts.push(key);
        const started = Promise.resolve().then(onPage);
        return createWalk({ started, read: () => started });
      });
    }
    return { cacheOf, starts, read };
  }

  test('hold a reply each for the same address', async () => {
    const { starts, read } = setUp();
    for (const key of ['first', 'second', 'first', 'second']) await read(key);
    expect(starts).toEqual(['first', 'second']);
  });

  test('keep a reply for as long as one of its callers accepts it', async () => {
    const { starts, read } = setUp();
    for (const key of ['first', 'second']) await read(key);
    await read('first', 60 * minuteMs);
    vi.advanceTimersByTime(55 * minuteMs);
    for (const key of ['first', 'second']) await read(key, 60 * minuteMs);
    expect(starts).toEqual(['first', 'second', 'second']);
  });
});
