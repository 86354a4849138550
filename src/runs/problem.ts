import { type ErrorCode, RackhandError } from '../errors.ts';
import { HostingError } from '../hosting/hosting-error.ts';
import {
  type Denial,
  DeniedError,
  type RequiredAccess,
  toDenialCode,
} from '../operations/define/access/access.ts';
import type { RawInput } from '../operations/define/arguments/raw-input.ts';
import { connectKeyStep, replaceKeyStep } from '../operations/define/key-steps.ts';
import type { Fact, NextStep } from '../operations/define/outcome.ts';

/** A failure as shown to a person: what happened, what was changed, and what to do next. */
export interface Problem {
  readonly code: ErrorCode;
  readonly message: string;
  /** The hosting service's own message, which is untrusted. */
  readonly serviceMessage?: string;
  readonly changed: string;
  readonly advice: string;
  /** ID of the person who declined or withdrew the run. */
  readonly decidedBy?: string;
  /** The target's state, as read after the failure. */
  readonly facts?: readonly Fact[];
  readonly nextSteps?: readonly NextStep[];
}

export const unexpectedErrorMessage = 'Something went wrong in Rackhand.';

export const tryAgain = 'Try Again';

const nothingChanged = 'Nothing was changed.';
const unknownChange = "It's unknown whether anything was changed.";

const hiddenMessageNotice = " Its own message isn't shown, because it may contain a secret.";

/** Errors that stop work halfway. */
const interruptedCodes: readonly ErrorCode[] = [
  'deadline_passed',
  'stopped',
  'run_unreadable',
  'database_unreachable',
];

/**
 * Converts an error to the problem shown to a person. `isChanging` says whether the failed work was meant to
 * change something.
 */
export function toProblem(error: unknown, { isChanging }: { readonly isChanging: boolean }): Problem {
  if (error instanceof DeniedError) return deniedProblem(error.denial);
  const isExpected = error instanceof RackhandError;
  const code = isExpected ? error.code : 'internal';
  const failure = error instanceof HostingError ? error.failure : undefined;
  const doubt = isChanging ? describeDoubt(error) : undefined;
  const remedy = findKeyRemedy(code);
  return {
    code,
    message: `${isExpected ? error.message : unexpectedErrorMessage}${failure?.isMessageHidden ? hiddenMessageNotice : ''}`,
    ...(failure?.serviceMessage && { serviceMessage: failure.serviceMessage }),
    changed: doubt ?? nothingChanged,
    advice: doubt === undefined ? adviceByCode[code] : 'Check the target before you retry.',
    ...(remedy && { nextSteps: [remedy.step] }),
  };
}

/** Returns whether the change may or may not have taken effect. */
export function isOutcomeUnknown({ changed }: Problem): boolean {
  return changed !== nothingChanged;
}

/** Returns a sentence that says something may have changed, or undefined if certainly nothing has. */
function describeDoubt(error: unknown): string | undefined {
  const isUnfinished = !(error instanceof RackhandError) || interruptedCodes.includes(error.code);
  if (!(error instanceof HostingError)) return isUnfinished ? unknownChange : undefined;
  const { sendState, status } = error.failure;
  if (sendState === 'unknown') {
    return `${unknownChange} Rackhand won't send the call again by itself.`;
  }
  return sendState === 'answered' && status !== undefined && status >= 500
    ? "The service didn't say whether anything was changed."
    : undefined;
}

/** The problem for a confirmation, approval request or queued run that expired. */
export function expiredProblem(): Problem {
  return toProblem(new RackhandError('deadline_passed', 'This request has expired.'), { isChanging: false });
}

/** The problem for work interrupted because its process ended. Offers a retry if certainly nothing was changed. */
export function interruptedProblem(
  message: string,
  { isChanging }: { readonly isChanging: boolean },
  { operation, input }: { readonly operation: string; readonly input: RawInput },
): Problem {
  const problem = toProblem(new RackhandError('stopped', message), { isChanging });
  return isChanging ? problem : { ...problem, nextSteps: [{ label: tryAgain, operation, input }] };
}

/**
 * The problem for a stored run that can't be read, such as one from an older version. `isChanging` says whether the
 * run may have changed something.
 */
export function unreadableRunProblem(options: { readonly isChanging: boolean }): Problem {
  return toProblem(new RackhandError('run_unreadable', "Rackhand can't read this stored request."), options);
}

/** The problem for a reply that was lost because its process ended or Slack was unreachable. */
export function lostReplyProblem(operation: string, input: RawInput): Problem {
  const message = 'Rackhand restarted or lost its connection to Slack before you got the reply.';
  return interruptedProblem(message, { isChanging: false }, { operation, input });
}

export function deniedProblem(denial: Denial): Problem {
  const { message, advice, nextSteps = [] } = denial;
  return {
    ...toProblem(new RackhandError(toDenialCode(denial), message), { isChanging: false }),
    advice,
    nextSteps,
  };
}

/** The problem for a run that someone declined. `isOwn` means that the requester withdrew the run. */
export function declinedProblem(userId: string, isOwn: boolean): Problem {
  const message = isOwn ? 'The requester withdrew this request.' : 'This request was declined.';
  const problem = toProblem(new RackhandError('cancelled', message), { isChanging: false });
  return {
    ...problem,
    ...(!isOwn && { advice: 'Talk to the person who declined the request.' }),
    decidedBy: userId,
  };
}

export function cancelledProblem(): Problem {
  return toProblem(new RackhandError('cancelled', 'You cancelled this.'), { isChanging: false });
}

/** The problem for a part whose run ended before the part could begin. */
export function parentEndedProblem(): Problem {
  const error = new RackhandError('cancelled', 'The command that this was part of has already ended.');
  return toProblem(error, { isChanging: false });
}

export function mistypedProblem(requiredText: string): Problem {
  return toProblem(new RackhandError('input_invalid', `The text doesn't match ${requiredText}.`), {
    isChanging: false,
  });
}

export function notRunOwnerProblem(): Problem {
  const error = new RackhandError('not_run_owner', "This request isn't yours, or it doesn't exist.");
  return toProblem(error, { isChanging: false });
}

export const keyRequiredAccess: RequiredAccess = { right: 'admin', vps: [] };

/** The fix for a problem with the API key, with advice for those who can apply it and those who can't. */
interface KeyRemedy {
  readonly step: NextStep;
  /** For people who are allowed to change the key. */
  readonly adviceForAdmins: string;
  /** For everyone else, or if the reader is unknown. */
  readonly adviceForOthers: string;
}

const keyAdmins = 'a workspace owner or admin, or someone with the admin right,';

const keyRemedies = {
  key_missing: {
    step: connectKeyStep,
    adviceForAdmins: 'Connect an API key. It takes a minute.',
    adviceForOthers: `Ask ${keyAdmins} to connect one.`,
  },
  key_rejected: {
    step: replaceKeyStep,
    adviceForAdmins: 'The key may have been revoked. Replace it.',
    adviceForOthers: `The key may have been revoked. Ask ${keyAdmins} to replace it.`,
  },
  permission_missing: {
    step: replaceKeyStep,
    adviceForAdmins:
      "Add the permission to the key in the hosting service's dashboard, or connect a key that has it.",
    adviceForOthers: `Ask ${keyAdmins} to connect a key that has it.`,
  },
} as const satisfies Partial<Record<ErrorCode, KeyRemedy>>;

/** Returns the remedy for an error caused by the API key, or undefined for other errors. */
export function findKeyRemedy(code: ErrorCode): KeyRemedy | undefined {
  return Object.entries(keyRemedies).find(([known]) => known === code)?.[1];
}

/**
 * Adapts a problem with the API key to its reader. People who are allowed to change the key get the admins'
 * advice. Others don't get the button that fixes the key.
 */
export function personalizeKeyRemedy(problem: Problem, canChangeKey: boolean): Problem {
  const remedy = findKeyRemedy(problem.code);
  if (!remedy) return problem;
  const { advice, nextSteps = [] } = problem;
  if (canChangeKey)
    return { ...problem, advice: advice === remedy.adviceForOthers ? remedy.adviceForAdmins : advice };
  return { ...problem, nextSteps: nextSteps.filter((step) => step !== remedy.step) };
}

const operatorContact = 'the person who runs Rackhand for your team';
const tryLaterAdvice =
  "Try again in a few minutes. If it keeps failing, check the hosting service's status page.";

const adviceByCode: Record<ErrorCode, string> = {
  service_unreachable: tryLaterAdvice,
  service_timeout: tryLaterAdvice,
  service_connection_lost: tryLaterAdvice,
  service_unresponsive: tryLaterAdvice,
  service_failed: tryLaterAdvice,
  not_installed: `Ask ${operatorContact} to install it.`,
  key_missing: keyRemedies.key_missing.adviceForOthers,
  key_rejected: keyRemedies.key_rejected.adviceForOthers,
  permission_missing: keyRemedies.permission_missing.adviceForOthers,
  access_denied:
    "The API key may lack a permission, or the service may not accept calls from Rackhand's address.",
  not_found: 'Check the name and try again.',
  refused: 'Correct the input and try again.',
  quota_exceeded: 'Try again in a minute. Something else may be using the same API key.',
  response_not_json: `Try again. If it keeps failing, ask ${operatorContact} to check HOSTING_API_URL.`,
  response_unsuccessful: "Try again. If it keeps failing, check the hosting service's status page.",
  response_unexpected: `Ask ${operatorContact} to check HOSTING_API_URL and the version of the service's API.`,
  response_too_large: `Tell ${operatorContact}: the service's response is larger than Rackhand accepts.`,
  deadline_passed: 'Run the command again.',
  input_invalid: 'Correct the input and try again.',
  setting_invalid: `Ask ${operatorContact} to check Rackhand's log.`,
  database_claimed: `Ask ${operatorContact} to check Rackhand's log.`,
  secret_unreadable: `Ask ${operatorContact} to check ENCRYPTION_KEYS.`,
  not_run_owner: 'Run the command yourself.',
  scope_missing: `Ask ${operatorContact} to reinstall the app with this scope.`,
  member_unknown: 'Try again in a minute.',
  suspended: `Ask ${operatorContact} why.`,
  install_refused: `Ask ${operatorContact} to allow it.`,
  not_permitted: 'Ask an admin for access.',
  target_changed: 'Check its state before you try again.',
  batch_incomplete: 'See what happened to each VPS, then run the rest.',
  snapshot_incomplete: 'Check the snapshots of the VPS, then try again.',
  cancelled: 'Run the command again whenever you like.',
  row_unreadable: `Ask ${operatorContact} to check Rackhand's log. A newer version may have stored it.`,
  run_unreadable: 'Run the command again.',
  stopped: 'Run the command again.',
  database_unreachable: `Try again in a minute. If it keeps failing, tell ${operatorContact}.`,
  internal: `Try again. If it keeps failing, ask ${operatorContact} to check Rackhand's log.`,
};
