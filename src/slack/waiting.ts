import { aboutTime } from '../operations/duration.ts';
import { renderNotice } from './render/notice.ts';
import type { ForNow, Reply } from './reply.ts';

/** Shorter waits for the quota are not worth a message. */
const worthTellingMs = 1_500;

/** How far something has come is said when it has lasted so long, and then not more often than Slack likes messages to be edited. */
const firstWordMs = 3_000;
const betweenWordsMs = 4_000;

/** Speaks to the asker for as long as what they asked for is not answered. */
export interface Waiting {
  /** The quota makes it wait, for about so many ms. */
  onQueued(waitMs: number): void;
  /** It has come so far: a sentence. */
  onProgress(words: string): void;
  /** The answer is about to be told: takes away what was said for the time being. */
  over(): Promise<void>;
}

/** Tells the asker that it takes a while, once: each word costs one of the few uses of a response URL. */
export function tellQueued(say: Reply['tell']): Waiting['onQueued'] {
  let isTold = false;
  return (waitMs) => {
    if (isTold || waitMs < worthTellingMs) return;
    isTold = true;
    const notice = `⏳ Queued, ${aboutTime(waitMs)}: the request quota of the API key is used up.`;
    // Not waited for: the answer itself must not wait for the word that it will take a while.
    say(renderNotice(notice)).catch(() => undefined);
  };
}

/** Creates what speaks while somebody waits: how far it has come in one message that is edited, where the answer will be. */
export function createWaiting(reply: Reply, to: 'channel' | 'asker'): Waiting {
  const tellOnce = tellQueued(reply.tell);
  let words: string | undefined;
  let said: ForNow | undefined;
  let saying: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;
  let isOver = false;

  async function say(): Promise<void> {
    timer = undefined;
    const message = words === undefined || isOver ? undefined : renderNotice(`⏳ ${words}`);
    words = undefined;
    if (!message) return;
    try {
      if (said) await said.edit(message);
      else said = await reply.forNow(message, to);
    } catch {
      // The next word may come through.
    }
    sayIn(betweenWordsMs);
  }

  function sayIn(ms: number): void {
    if (isOver || words === undefined) return;
    timer ??= setTimeout(() => {
      // One after the other, however long Slack takes.
      saying = (saying ?? Promise.resolve()).then(say);
    }, ms).unref();
  }

  return {
    onQueued(waitMs) {
      if (words === undefined && said === undefined) tellOnce(waitMs);
    },
    onProgress(next) {
      words = next;
      if (!saying) sayIn(firstWordMs);
      else sayIn(betweenWordsMs);
    },
    async over() {
      isOver = true;
      clearTimeout(timer);
      await saying;
      await said?.remove().catch(() => undefined);
    },
  };
}
