import type { WaitReason } from '../../hosting/rate-limit/rate-limiter.ts';
import { formatEstimate } from '../grammar/duration.ts';

const waitReasons: Readonly<Record<WaitReason, string>> = {
  quota: "this minute's request quota is used up",
  line: "the requester's share of this minute's request quota is used up",
  lane: 'background requests have used their share of the request quota',
  people: "people's requests go first",
  pause: 'the hosting service asked Rackhand to wait',
  unknown: "Rackhand doesn't know yet how much of the request quota is used",
  unreachable: "Rackhand can't reach the store that counts its requests",
};

/** Formats the wait of a queued request and its reason, such as "about 12 s: …". */
export function formatQueueWait(waitMs: number, reason: WaitReason): string {
  return `${formatEstimate(waitMs)}: ${waitReasons[reason]}`;
}

export function formatWaitReason(reason: WaitReason): string {
  return waitReasons[reason];
}
