import { type ErrorCode, RackhandError } from '../../error.ts';
import { HostingError } from '../../hosting/hosting-error.ts';
import type { Fact, NextStep, RawInput } from '../outcome.ts';
import type { Refusal } from './access.ts';
import { keyRemedies, keyRemedyOf } from './key-problem.ts';

/** What a person reads when something did not go through: what happened, what was changed, what to do. */
export interface Problem {
  readonly code: ErrorCode;
  readonly what: string;
  /** The service's own words, foreign text. */
  readonly serviceSays?: string;
  readonly changed: string;
  readonly next: string;
  /** Who decided it, if somebody did. */
  readonly by?: string;
  /** What was read back of the target afterwards. */
  readonly facts?: readonly Fact[];
  readonly steps?: readonly NextStep[];
}

const nothingChanged = 'Nothing was changed.';
const notKnown = 'Whether anything was changed is not known.';

/** What ends work in the middle. */
const unfinished: readonly ErrorCode[] = ['deadline_passed', 'stopped'];

/** Turns an error into what a person reads; the one place that does. `changing`: the call that failed was to change something. */
export function explain(error: unknown, { changing }: { readonly changing: boolean }): Problem {
  const isKnown = error instanceof RackhandError;
  const code = isKnown ? error.code : 'internal';
  const failure = error instanceof HostingError ? error.failure : undefined;
  const doubt = changing ? doubtAbout(error) : undefined;
  const remedy = keyRemedyOf(code);
  return {
    code,
    what: isKnown ? error.message : 'Something went wrong inside Rackhand.',
    ...(failure?.serviceMessage && { serviceSays: failure.serviceMessage }),
    changed: doubt ?? nothingChanged,
    next: doubt === undefined ? nextSteps[code] : 'Look at the present state before you try again.',
    ...(remedy && { steps: [remedy.step] }),
  };
}

/** Tells whether a problem leaves open what was changed. */
export function isDoubtful({ changed }: Problem): boolean {
  return changed !== nothingChanged;
}

/** Says why it cannot be known whether a call has changed something; nothing where it surely has not. */
function doubtAbout(error: unknown): string | undefined {
  const isUnfinished = !(error instanceof RackhandError) || unfinished.includes(error.code);
  if (!(error instanceof HostingError)) return isUnfinished ? notKnown : undefined;
  const { fate, status } = error.failure;
  if (fate === 'unknown') {
    return 'Whether anything was changed is not known, and Rackhand does not send it again by itself.';
  }
  return fate === 'answered' && status !== undefined && status >= 500
    ? 'The service does not say whether anything was changed.'
    : undefined;
}

/** Says that a request has waited past its time. */
export function lapsed(): Problem {
  return explain(new RackhandError('deadline_passed', 'This request has lapsed.'), { changing: false });
}

/** Says that a process ended while it worked on something. */
export function interrupted(what: string, { changing }: { readonly changing: boolean }): Problem {
  return explain(new RackhandError('stopped', what), { changing });
}

/** Says that an answer never came, because the process that had it ended. */
export function answerLost(operation: string, input: RawInput): Problem {
  const problem = interrupted('Rackhand was restarted before its answer came to you.', { changing: false });
  return { ...problem, next: 'Ask again.', steps: [{ label: 'Ask Again', operation, input }] };
}

/** Says what somebody may not do, and who can help. */
export function notPermitted({ what, next, steps = [] }: Refusal): Problem {
  return { ...explain(new RackhandError('not_permitted', what), { changing: false }), next, steps };
}

/** Says that nobody approves what they asked for themselves. */
export function selfApproval(): Problem {
  const what = 'A second person has to approve this: you asked for it yourself.';
  return notPermitted({ what, next: 'Wait for somebody else, or decline it.' });
}

/** Says who declined a request. */
export function declined(userId: string, isOwn: boolean): Problem {
  const what = isOwn ? 'Whoever asked for it took it back.' : 'It was declined.';
  const problem = explain(new RackhandError('cancelled', what), { changing: false });
  return {
    ...problem,
    next: isOwn ? 'Ask again whenever you like.' : 'Talk to whoever declined it.',
    by: userId,
  };
}

export function cancelled(): Problem {
  return explain(new RackhandError('cancelled', 'You cancelled this.'), { changing: false });
}

/** Says that what was typed to confirm is not what had to be. */
export function mistyped(wanted: string): Problem {
  return explain(new RackhandError('input_invalid', `This is not ${wanted}.`), { changing: false });
}

export function notYours(): Problem {
  const error = new RackhandError('not_yours', 'This request is not yours, or it does not exist.');
  return explain(error, { changing: false });
}

const admin = 'whoever looks after Rackhand in your team';
const tryLater =
  'Try again in a few minutes; if it stays so, look at the status page of the hosting service.';

const nextSteps: Record<ErrorCode, string> = {
  service_unreachable: tryLater,
  service_timeout: tryLater,
  service_connection_lost: tryLater,
  service_failed: tryLater,
  not_installed: `Ask ${admin} to install it.`,
  key_missing: keyRemedies.key_missing.others,
  key_rejected: keyRemedies.key_rejected.others,
  permission_missing: keyRemedies.permission_missing.others,
  not_found: 'Check the name: the list of VPS shows what there is.',
  refused: 'Change what the service names, and try again.',
  quota_exceeded: 'Try again in a minute; something else uses the same API key.',
  answer_not_json: `Try again; if it stays so, ask ${admin} to check the address of the service.`,
  answer_unsuccessful: 'Try again; if it stays so, look at the status page of the hosting service.',
  answer_unexpected: `Ask ${admin} to check the address of the service and its version.`,
  answer_too_large: `Ask ${admin}: the service answers more than Rackhand reads.`,
  deadline_passed: 'Ask again if you still want it.',
  input_invalid: 'Correct it and send it again.',
  setting_invalid: `Ask ${admin} to look at its log.`,
  secret_unreadable: `Ask ${admin} to check ENCRYPTION_KEYS.`,
  not_yours: 'Ask for it yourself.',
  people_unknown: 'Try again in a minute.',
  not_permitted: `Ask ${admin} for it.`,
  cancelled: 'Ask again whenever you like.',
  stopped: 'Ask again if you still want it.',
  internal: `Try again; if it stays so, ask ${admin} to look at its log.`,
};
