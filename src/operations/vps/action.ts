import { z } from 'zod';
import { performVpsAction } from '../../hosting/endpoints/vps.ts';
import { type Argument, vpsArgument } from '../argument.ts';
import { defineChange } from '../operation.ts';
import { followVps } from './follow.ts';
import { presentVps } from './present.ts';
import { tellAct } from './tell-act.ts';

/** What surely does no harm: the API document shows no action but `reboot`, and names no effect of any. */
const harmless = ['start'];

/** Declares the operation that performs any action on a VPS; `vpsActions` are those that its form offers. */
export function createAction(vpsActions: readonly [string, ...string[]]) {
  return defineChange({
    name: 'action',
    heading: 'Act on a VPS',
    summary: 'Send a VPS any action that the service knows, such as start',
    arguments: { vps: vpsArgument(), action: actionArgument(vpsActions) },
    change: performVpsAction,
    effectFor({ action }) {
      if (action !== undefined && harmless.includes(action)) return 'change';
      // What nobody has vouched for may be the heaviest that there is.
      return action === undefined || vpsActions.includes(action) ? performVpsAction.effect : 'destroy';
    },
    button: 'Send Action',
    warning:
      'What this does to the VPS is for the service to say; it may interrupt everything that runs on it.',
    title: ({ vps, action }) => `Send ${action} to ${vps}`,
    target: ({ vps }) => vps,
    present: ({ read }, { vps }) => presentVps(read, vps),
    request: ({ vps, action }) => ({ params: { vps_name: vps }, body: { action } }),
    outcome: (data, { vps, action }) => ({
      title: `${vps} was sent ${action}`,
      ...tellAct(data),
      next: [
        { label: 'Show', operation: 'show', input: { vps } },
        { label: 'Live', operation: 'live', input: { vps } },
      ],
    }),
    follow: ({ read }, { vps }) => followVps(read, vps),
  });
}

/** Takes one of the actions; typed, any word, because the API document does not say which there are. */
function actionArgument(options: readonly [string, ...string[]]): Argument<string> {
  const error = `An action is one word, such as ${options.join(' or ')}`;
  return {
    label: 'Action',
    example: options[0],
    written: 'action',
    hint: 'Any other action that your service knows can be typed in a command.',
    control: { kind: 'choice', options },
    required: true,
    schema: z
      .string({ error })
      .trim()
      .regex(/^[\w.-]{1,64}$/, { error }),
  };
}
