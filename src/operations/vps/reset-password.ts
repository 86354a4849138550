import { resetRootPassword } from '../../hosting/endpoints/vps.ts';
import { readPasswordResult } from '../../hosting/readings/results.ts';
import { choiceArgument, vpsArgument } from '../argument.ts';
import { defineChange } from '../operation.ts';
import { deliveries, deliveryHint } from './delivery.ts';
import { presentVps } from './present.ts';
import { tellReading } from './tell-act.ts';

export const resetPassword = defineChange({
  name: 'password reset',
  heading: 'Reset root password',
  summary: 'Give the root user of a VPS a new password',
  arguments: {
    vps: vpsArgument(),
    delivery: choiceArgument({
      options: deliveries,
      flag: 'delivery',
      label: 'Delivery of the password',
      example: 'email',
      hint: deliveryHint,
    }),
  },
  change: resetRootPassword,
  button: 'Reset Password',
  warning: 'The root password that is used now stops working.',
  title: ({ vps }) => `Reset the root password of ${vps}`,
  target: ({ vps }) => vps,
  present: ({ read }, { vps }) => presentVps(read, vps),
  request: ({ vps, delivery }) => ({ params: { vps_name: vps }, body: { delivery } }),
  outcome: (data, { vps }) => ({
    title: `${vps} has a new root password`,
    ...tellReading(readPasswordResult(data)),
    next: [{ label: 'Show', operation: 'show', input: { vps } }],
  }),
});
