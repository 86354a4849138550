import { type WaitReason, waitReasons } from '../../hosting/quota/rate-limiter.ts';
import { formatEstimate } from '../grammar/duration.ts';

/** Formats how long a queued request waits and why, such as "about 12 s: …". */
export function formatQueueWait(waitMs: number, reason: WaitReason): string {
  return `${formatEstimate(waitMs)}: ${waitReasons[reason]}`;
}

/** Formats a notice such as "⏳ Queued: graph of web-01, about 32 s. …". */
export function formatQueueNotice(what: string | undefined, waitMs: number, reason: WaitReason): string {
  const subject = what === undefined ? 'Queued' : `Queued: ${what}`;
  const sentence = waitReasons[reason];
  const why = `${sentence.charAt(0).toUpperCase()}${sentence.slice(1)}`;
  return `⏳ ${subject}, ${formatEstimate(waitMs)}. ${why}.`;
}
