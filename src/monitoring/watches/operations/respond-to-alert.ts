import { z } from 'zod';
import { type Recipients, recipientSchema } from '../../../auth/recipients.ts';
import { RackhandError } from '../../../errors.ts';
import type { Outbox } from '../../../messages/outbox.ts';
import { DeniedError } from '../../../operations/define/access/access.ts';
import type { Actor } from '../../../operations/define/access/actor.ts';
import type { Argument } from '../../../operations/define/arguments/argument.ts';
import type { ChoiceSource } from '../../../operations/define/arguments/choice-source.ts';
import { optionalArgument } from '../../../operations/define/arguments/optional-argument.ts';
import { defineLocal } from '../../../operations/define/define-operation.ts';
import type { Operation, OperationContext } from '../../../operations/define/operation.ts';
import type { Outcome } from '../../../operations/define/outcome.ts';
import { requirePlan } from '../../../plans/plan-operations.ts';
import type { AlertNotifier } from '../delivery/alert-notifier.ts';
import { assignSteps } from '../delivery/format-alert.ts';
import { type Alert, type AlertResponse, isAlertOpen } from '../evaluation/alert.ts';
import { watchArgument } from '../planning/watch-arguments.ts';
import type { Watch } from '../watch.ts';
import type { WatchStore } from '../watch-store.ts';

interface AlertOperationsDependencies {
  readonly store: Pick<WatchStore, 'find' | 'changeAlert'>;
  readonly watches: ChoiceSource;
  readonly recipients: Recipients;
  readonly notifier: Pick<AlertNotifier, 'refresh' | 'reply'>;
  readonly transact: Outbox['transact'];
  readonly now: () => number;
}

/** When the alert began. Identifies the alert, so an old button doesn't act on a newer one. */
const alertArgument: Argument<number | undefined> = {
  ...optionalArgument(
    {
      label: 'Alert',
      example: '1764000000000',
      flag: 'alert',
      hint: 'The number of an alert from this watch, filled in by buttons. Default: the open alert.',
    },
    z
      .string()
      .regex(/^\d{1,15}$/, { error: 'Give the number of the alert, or leave it out for the open one' })
      .transform(Number),
  ),
  isSetByButtons: true,
};

export function createAlertOperations(dependencies: AlertOperationsDependencies): readonly Operation[] {
  const { store, watches, recipients, notifier, transact, now } = dependencies;
  const name = { ...watchArgument(watches), takesRemainingWords: false };
  const shared = {
    // Operating any VPS in an alert is enough to take over the alert, which `findAlert` checks.
    right: 'operate',
    isAnyVpsEnough: true,
    target: (input: { readonly name: string }) => input.name,
  } as const;

  /**
   * Finds a watch's open alert. Throws if there is none, or if the actor can't operate any VPS in it. With
   * `isOpenToPinged`, people whom the watch pings need no right.
   */
  async function findAlert(
    { actor, loadAccess }: Pick<OperationContext, 'actor' | 'loadAccess'>,
    input: { readonly name: string; readonly alert: number | undefined },
    isOpenToPinged = false,
  ): Promise<{ readonly watch: Watch; readonly alert: Alert }> {
    const watch = await requirePlan('watch', store, actor.teamId, input.name);
    const { alert } = watch.alertState;
    const isMeant = input.alert === undefined || input.alert === alert?.beganMs;
    if (!alert || !isAlertOpen(alert) || !isMeant)
      throw alertOverError(input.name, input.alert !== undefined);
    if (isOpenToPinged && (await pings(watch, actor))) return { watch, alert };
    const vps = Object.keys(alert.members);
    const checkAccess = await loadAccess();
    if (vps.every((one) => checkAccess({ right: 'operate', vps: [one] }) !== undefined)) {
      const message =
        "You don't have permission to operate any VPS in this alert, so you can't take it over.";
      const denial = checkAccess({ right: 'operate', vps });
      throw new DeniedError({ advice: 'Ask an admin for access.', ...denial, message });
    }
    return { watch, alert };
  }

  /** Returns whether the watch pings a person, or its open alert is assigned to them. */
  async function pings(
    { notify, escalation, alertState: { alert } }: Watch,
    { teamId, userId }: Actor,
  ): Promise<boolean> {
    const pinged = [notify, escalation?.to, alert?.response.assignee ?? undefined];
    const people = await Promise.all(
      pinged.map((id) => (id === undefined ? [] : recipients.listPeople(teamId, id))),
    );
    return people.flat().includes(userId);
  }

  /** Changes the response to an alert, replies in the thread, and updates the message. */
  async function respond(
    { watch, alert }: { readonly watch: Watch; readonly alert: Alert },
    change: (response: AlertResponse) => Partial<AlertResponse> | undefined,
    reply: { readonly outcome: Outcome; readonly ping?: string },
  ): Promise<Watch | undefined> {
    const changed = await transact(async (transaction) => {
      const responded = await store.changeAlert(
        watch.id,
        alert.beganMs,
        (current) => {
          const more = change(current.response);
          return more && { ...current, isStale: true, response: { ...current.response, ...more } };
        },
        transaction,
      );
      if (responded) await notifier.reply(responded, reply.outcome, reply.ping, transaction);
      return responded;
    });
    if (changed) await notifier.refresh(changed);
    return changed;
  }

  return [
    defineLocal({
      name: 'watch acknowledge',
      heading: 'Acknowledge an alert',
      summary: "Take over a watch's open alert, which stops the escalation",
      arguments: { name: { ...name, takesRemainingWords: true }, alert: alertArgument },
      button: 'Acknowledge',
      ...shared,
      async isOpenTo({ actor }, input) {
        const watch = input.name === undefined ? undefined : await store.find(actor.teamId, input.name);
        return watch !== undefined && pings(watch, actor);
      },
      async run(context, input) {
        const found = await findAlert(context, input, true);
        const { userId } = context.actor;
        const acknowledged = { userId, atMs: now() };
        const title = `The alert of watch "${input.name}" was acknowledged`;
        const by = { label: 'By', value: { kind: 'person', person: userId } } as const;
        const changed = await respond(
          found,
          (response) => (response.acknowledged ? undefined : { acknowledged }),
          { outcome: { title, facts: [by] } },
        );
        if (changed) return formatAcknowledged(input.name, changed);
        return formatTaken(input.name, (await findAlert(context, input, true)).alert, userId);
      },
    }),

    defineLocal({
      name: 'watch assign',
      heading: 'Assign an alert',
      summary: "Assign a watch's open alert to someone and ping them in its thread",
      arguments: {
        name,
        who: {
          label: 'Who',
          example: '@bob',
          control: { kind: 'remote', source: recipients.choices },
          required: true,
          schema: recipientSchema,
        } satisfies Argument<string>,
        alert: alertArgument,
      },
      button: 'Assign',
      ...shared,
      async validate({ actor }, { who }) {
        const problem = await findAssigneeProblem(recipients, actor.teamId, who);
        return problem === undefined ? [] : [{ path: 'who', message: problem }];
      },
      async run(context, input) {
        const { who } = input;
        const found = await findAlert(context, input);
        const outcome: Outcome = {
          title: 'Assigned',
          facts: [
            { label: 'To', value: { kind: 'person', person: who } },
            { label: 'By', value: { kind: 'person', person: context.actor.userId } },
          ],
        };
        const changed = await respond(found, () => ({ assignee: who }), { outcome, ping: who });
        if (!changed) throw alertOverError(input.name);
        return {
          title: `The alert of watch "${input.name}" was assigned`,
          facts: [{ label: 'To', value: { kind: 'person', person: who } }],
        };
      },
    }),
  ];
}

async function findAssigneeProblem(
  recipients: Recipients,
  teamId: string,
  who: string,
): Promise<string | undefined> {
  return /^S[A-Z0-9]{2,}$/.test(who)
    ? 'Assign the alert to a person, not to a user group'
    : recipients.findProblem(teamId, who);
}

/** Returns the error for an alert that isn't open. `isChosen` is false if the person named only the watch. */
export function alertOverError(name: string, isChosen = true): RackhandError {
  return new RackhandError(
    'input_invalid',
    isChosen ? `This alert of watch "${name}" is over.` : `Watch "${name}" has no open alert.`,
  );
}

const escalationNotes = {
  sent: 'The alert had already been escalated.',
  failed: 'An earlier attempt to escalate the alert failed.',
} as const;

export function formatAcknowledged(name: string, { escalation, alertState: { alert } }: Watch): Outcome {
  const result = alert?.response.escalation;
  const escalationNote = result ? escalationNotes[result] : "The alert won't be escalated.";
  return {
    title: `You acknowledged the alert of watch "${name}"`,
    notes: escalation ? [escalationNote] : [],
    next: alert ? assignSteps({ watch: { name }, alert }) : [],
  };
}

/** Formats the reply if the alert was already acknowledged. */
export function formatTaken(name: string, alert: Alert, userId: string): Outcome {
  const { acknowledged } = alert.response;
  if (!acknowledged) throw alertOverError(name);
  return {
    title:
      acknowledged.userId === userId
        ? 'You have already acknowledged this alert'
        : 'Someone else has already acknowledged this alert',
    facts: [
      { label: 'By', value: { kind: 'person', person: acknowledged.userId } },
      { label: 'At', value: { kind: 'time', timeMs: acknowledged.atMs } },
    ],
    next: assignSteps({ watch: { name }, alert }),
  };
}
