import { z } from 'zod';
import { formatList } from '../../format-list.ts';
import { performVpsAction } from '../../hosting/endpoints/vps.ts';
import { vpsArgument } from '../choices/sources/vps.ts';
import type { Argument } from '../define/arguments/argument.ts';
import { defineChange } from '../define/define-operation.ts';
import { formatActionResult } from './format-action-result.ts';
import { readVpsProgress } from './progress.ts';
import { rebootAllWarning, rebootWarning } from './reboot.ts';
import { readVpsState } from './target-state.ts';

/**
 * Actions that don't need the `destroy` right. Even these need a confirmation, because the API document
 * doesn't state their effects.
 */
const mildActions = ['start'];

/** Creates the operation that sends any action to a VPS. The form offers `vpsActions`. */
export function createActionOperation(vpsActions: readonly [string, ...string[]]) {
  return defineChange({
    name: 'action',
    heading: 'Run another action',
    summary: 'Start or stop a VPS, or send it any other action that the service offers',
    arguments: { vps: vpsArgument(), action: actionArgument(vpsActions) },
    endpoint: performVpsAction,
    effect({ action }) {
      // Unlisted actions are treated as destructive.
      const isListed = action === undefined || [...vpsActions, ...mildActions].includes(action);
      return isListed ? performVpsAction.effect : 'destroy';
    },
    confirmation: { losesData: true },
    button: 'Send Action',
    warning: ({ action }, { facts }) =>
      action === 'reboot'
        ? rebootWarning(facts)
        : "Rackhand doesn't know what this action does. It may interrupt everything running on the VPS.",
    several: {
      button: 'Send to All',
      warning: ({ action }) =>
        action === 'reboot'
          ? rebootAllWarning
          : "Rackhand doesn't know what this action does. It may interrupt everything running on these VPS.",
    },
    title: ({ vps, action }) => `Send ${action} to ${vps}`,
    target: ({ vps }) => vps,
    readTargetState: ({ read }, { vps }) => readVpsState(read, vps),
    request: ({ vps, action }) => ({ params: { vps_name: vps }, body: { action } }),
    outcome: (data, { vps, action }) => ({
      title: `Sent ${action} to ${vps}`,
      ...formatActionResult(data, { vps, action }),
      next: [
        { label: 'Show', operation: 'show', input: { vps } },
        { label: 'Live', operation: 'live', input: { vps } },
      ],
    }),
    readProgress: ({ read }, { vps }) => readVpsProgress(read, vps),
  });
}

/** Creates an argument for the action. Any word can be typed, because the API document doesn't list the actions. */
function actionArgument(options: readonly [string, ...string[]]): Argument<string> {
  const error = `An action is one word, such as ${formatList(options, 'or')}`;
  return {
    label: 'Action',
    example: options[0],
    valueName: 'action',
    hint: 'In a command, you can type any other action that your service knows. /vps stop web-01 works too.',
    control: { kind: 'choice', options },
    required: true,
    schema: z
      .string({ error })
      .trim()
      .regex(/^[\w.-]{1,64}$/, { error }),
  };
}
