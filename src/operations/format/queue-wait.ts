import { type WaitReason, waitReasons } from '../../hosting/quota/rate-limiter.ts';
import { formatEstimate } from '../grammar/duration.ts';

/** Formats the wait of a queued request and its reason, such as "about 12 s: …". */
export function formatQueueWait(waitMs: number, reason: WaitReason): string {
  return `${formatEstimate(waitMs)}: ${waitReasons[reason]}`;
}
