import { z } from 'zod';
import { reinstallVps } from '../../hosting/endpoints/vps.ts';
import { readPasswordResult } from '../../hosting/readings/results.ts';
import { type Argument, remoteArgument, vpsArgument } from '../argument.ts';
import { defineChange } from '../operation.ts';
import { reinstallDeliveries, systems } from '../sources/systems.ts';
import { deliveryHint } from './delivery.ts';
import { followVps } from './follow.ts';
import { presentVpsWhole } from './present.ts';
import { tellReading } from './tell-act.ts';

/** What the API document's own example of a reinstall uses. */
const usualDelivery = 'api';

export const reinstall = defineChange({
  name: 'reinstall',
  heading: 'Reinstall a VPS',
  summary: 'Reinstall a VPS with an operating system: everything on it is lost',
  arguments: {
    vps: vpsArgument(),
    os: remoteArgument({
      source: systems,
      flag: 'os',
      label: 'Operating system',
      example: 'debian-13',
      written: 'OS',
    }),
    delivery: deliveryArgument(),
  },
  change: reinstallVps,
  typedToConfirm: ({ vps }) => vps,
  button: 'Reinstall',
  warning:
    'Everything on this VPS is lost for good. Snapshots may be lost with it: the service does not say.',
  title: ({ vps, os }) => `Reinstall ${vps} with ${os}`,
  target: ({ vps }) => vps,
  present: ({ read }, { vps }) => presentVpsWhole(read, vps),
  request: ({ vps, os, delivery }) => ({ params: { vps_name: vps }, body: { os, delivery } }),
  outcome: (data, { vps, os }) => ({
    title: `${vps} is being reinstalled with ${os}`,
    ...tellReading(readPasswordResult(data)),
    next: [
      { label: 'Show', operation: 'show', input: { vps } },
      { label: 'Live', operation: 'live', input: { vps } },
    ],
  }),
  follow: ({ read }, { vps }) => followVps(read, vps),
});

/** Takes a way of delivery that the service names, and one by itself. */
function deliveryArgument(): Argument<string> {
  const argument = remoteArgument({
    source: reinstallDeliveries,
    flag: 'delivery',
    label: 'Delivery of the password',
    example: 'email',
    written: 'MODE',
    hint: deliveryHint,
  });
  return {
    ...argument,
    required: false,
    initial: usualDelivery,
    schema: z.preprocess((value) => value ?? usualDelivery, argument.schema),
  };
}
