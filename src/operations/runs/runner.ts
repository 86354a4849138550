import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import type { HostingClient } from '../../hosting/client.ts';
import type { Catalogue } from '../catalogue.ts';
import type { Access } from './access.ts';
import { createActivity } from './activity.ts';
import type { Answer } from './answer.ts';
import { type Approval, type ApprovalDesk, type ApprovalRules, createApproval } from './approval.ts';
import { createCaretaker, leaseMs } from './caretaker.ts';
import { type ConfirmationStep, createConfirmation } from './confirmation.ts';
import { readConfirmationToken } from './confirmation-token.ts';
import { createExecution } from './execution.ts';
import { createFollowing } from './following.ts';
import type { FollowingStore } from './following-store.ts';
import { createIntake, type Intake } from './intake.ts';
import { createLiveForms, type LiveForms } from './live-forms.ts';
import { createPersistently, type Pause } from './persistently.ts';
import { createRecovery } from './recovery.ts';
import type { Announce, Asker, Run } from './run.ts';
import type { RunStore } from './run-store.ts';
import type { SecretKeeper } from './secret-keeper.ts';
import { createSettling } from './settling.ts';
import { createBenches, createSteps, type Steps } from './steps.ts';

export interface RunnerParts {
  readonly runs: RunStore;
  readonly followed: FollowingStore;
  readonly secrets: SecretKeeper;
  readonly catalogue: Catalogue;
  /** Gives the client of a workspace's key, whose calls throw `key_missing` where there is none. */
  readonly hostingFor: (teamId: string) => HostingClient;
  /** Asked before anything of a run is read or checked, and again at its confirmation. */
  readonly access: Access;
  readonly approvalRules: ApprovalRules;
  readonly approvalDesk: ApprovalDesk;
  /** Gives the asker's time zone, by its IANA name. */
  readonly timeZoneOf: (asker: Asker) => Promise<string>;
  readonly announce: Announce;
  /** Whether other processes work on the same runs. */
  readonly shared: boolean;
  readonly log: Pick<Logger, 'info' | 'error'>;
  /** Lets time pass before what failed is tried again. Default the machine's. */
  readonly pause?: Pause;
  readonly now?: () => number;
}

/** The one path that every run takes. Its methods never throw for what the service does or a person gives. */
export interface Runner {
  readonly request: Intake;
  /** An answer has come to its asker. Where this is not said, the next process tells them that it was lost. */
  told(answer: Answer): Promise<void>;
  /** The asker presses the button of a confirmation, which carries its token. */
  readonly confirm: ConfirmationStep['confirm'];
  /** The asker thinks better of it. */
  readonly cancel: ConfirmationStep['cancel'];
  /** A second person presses a button of a card that asks them. */
  readonly approve: Approval['approve'];
  readonly decline: Approval['decline'];
  /** Tells why a person may not run something, if so, as far as it is known yet what it is to be run on. */
  readonly refusalOf: Steps['refusalOf'];
  /** What forms know beyond their fields. */
  readonly forms: LiveForms;
  /** Finds a run of the asker's own. */
  readonly find: ConfirmationStep['findOwn'];
  /** Takes up what a process that is gone has left, now and from time to time. */
  start(): Promise<void>;
  /** Resolves when what is under way has ended. */
  stop(): Promise<void>;
}

/** Creates the runner of this process. */
export function createRunner(parts: RunnerParts): Runner {
  const { runs, secrets, catalogue, access, announce, shared, log, pause, now = Date.now } = parts;
  const owner = randomUUID();
  const activity = createActivity(log);
  const lease = () => ({ owner, untilMs: now() + leaseMs });
  const persistently = createPersistently(log, pause);
  const { settle, conclude } = createSettling({ runs, announce, lease, persistently, now });

  const benchFor = createBenches(parts);
  const contextFor = (run: Run) => benchFor(run, undefined, 'background').context;
  const followingParts = { store: parts.followed, runs, catalogue, contextFor, announce, owner, now, log };
  const following = createFollowing(followingParts);
  const execute = createExecution({
    runs,
    conclude,
    announce,
    following,
    secrets,
    owner,
    persistently,
    log,
    now,
  });
  const recover = createRecovery({ catalogue, benchFor, execute, conclude });
  const looks = { runs, activity, recover, announce, following, secrets, owner, shared, now, log };
  const caretaker = createCaretaker(looks);

  const stepParts = { runs, access, benchFor, activity, execute, settle, announce, lease, log, now };
  const steps = createSteps(stepParts);
  const { approvalRules: rules, approvalDesk: desk } = parts;
  const approvalParts = {
    runs,
    catalogue,
    steps,
    rules,
    desk,
    announce,
    conclude,
    lease,
    persistently,
    log,
    now,
  };
  const approval = createApproval(approvalParts);
  const confirmation = createConfirmation({ runs, catalogue, steps, approval, conclude, lease, now });
  const intakeParts = { runs, steps, confirmation, approval, secrets, settle, lease, now };

  return {
    request: createIntake(intakeParts),
    async told(answer) {
      try {
        if (answer.kind === 'confirmation')
          await runs.cardTold(readConfirmationToken(answer.confirmation.token).runId);
        else if ('runId' in answer) await runs.told(answer.runId);
      } catch (error) {
        log.error({ err: error }, 'that an answer came could not be recorded');
      }
    },
    confirm: confirmation.confirm,
    cancel: confirmation.cancel,
    approve: approval.approve,
    decline: approval.decline,
    refusalOf: steps.refusalOf,
    forms: createLiveForms({ benchFor, refusalOf: steps.refusalOf }),
    find: confirmation.findOwn,
    start: caretaker.start,

    async stop() {
      caretaker.stop();
      await activity.ended();
    },
  };
}
