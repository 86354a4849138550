import { type Recipients, toRecipientValue } from '../../../auth/recipients.ts';
import { RackhandError } from '../../../errors.ts';
import type { ChoiceSource } from '../../../operations/define/arguments/choice-source.ts';
import { defineLocal } from '../../../operations/define/define-operation.ts';
import type { Operation } from '../../../operations/define/operation.ts';
import type { Outcome } from '../../../operations/define/outcome.ts';
import { requirePlan } from '../../../plans/plan-operations.ts';
import type { ChannelPublisher } from '../../shared/channel-publisher.ts';
import { formatCondition } from '../condition.ts';
import { watchArgument } from '../planning/watch-arguments.ts';
import type { WatchStore } from '../watch-store.ts';

interface TestWatchDependencies {
  readonly store: Pick<WatchStore, 'find'>;
  readonly watches: ChoiceSource;
  readonly recipients: Pick<Recipients, 'findProblem'>;
  readonly announce: ChannelPublisher['announce'];
}

export function createTestWatchOperation({
  store,
  watches,
  recipients,
  announce,
}: TestWatchDependencies): Operation {
  return defineLocal({
    name: 'watch test',
    heading: 'Test a watch',
    summary: 'Post a test message where a watch alerts, and ping the people it notifies',
    arguments: { name: watchArgument(watches) },
    button: 'Send Test',
    right: 'operate',
    target: ({ name }) => name,
    async run({ actor }, { name }) {
      const watch = await requirePlan('watch', store, actor.teamId, name);
      const { channel, condition, notify, escalation } = watch;
      const problem = notify === undefined ? undefined : await recipients.findProblem(actor.teamId, notify);
      const problems =
        problem === undefined ? [] : [`No one was paged: ${problem}. Edit the watch to page someone else.`];
      const test: Outcome = {
        title: `TEST of watch "${name}"; nothing is wrong`,
        facts: [
          { label: 'Sent by', value: { kind: 'person', person: actor.userId } },
          { label: 'Alerts on', value: formatCondition(condition) },
          ...(escalation ? [{ label: 'Would escalate to', value: toRecipientValue(escalation.to) }] : []),
        ],
        notes: [
          ...problems,
          `Alerts from this watch are posted here${notify !== undefined && problem === undefined ? ' and notify the same people' : ''}.`,
        ],
        next: [{ label: 'Watch', operation: 'watch show', input: { name } }],
      };
      const posted = await announce(watch, test, problem === undefined ? notify : undefined);
      if (posted.kind === 'rateLimited')
        throw new RackhandError(
          'input_invalid',
          'Slack accepts no more messages in that channel right now. Try again in a minute.',
        );
      if (posted.kind !== 'posted')
        throw new RackhandError(
          'input_invalid',
          "Rackhand can't post in this watch's channel. Run /invite @Rackhand there, or edit the watch.",
        );
      return {
        title: `The test message of watch "${name}" was posted`,
        facts: [
          { label: 'Channel', value: { kind: 'channel', channel } },
          ...(notify !== undefined && problem === undefined
            ? [{ label: 'Notified', value: toRecipientValue(notify) }]
            : []),
        ],
        notes: [...problems, ...(notify === undefined ? ['This watch notifies no one.'] : [])],
      };
    },
  });
}
