import { z } from 'zod';
import { reinstallVps } from '../../hosting/endpoints/vps.ts';
import { redactOneTimeResult } from '../../hosting/secret-redaction.ts';
import {
  operatingSystemChoices,
  passwordDeliveryChoices,
  requiredFieldRows,
} from '../choices/sources/reinstall-options.ts';
import { vpsArgument } from '../choices/sources/vps.ts';
import { type Argument, remoteArgument } from '../define/arguments/argument.ts';
import { defineChange } from '../define/define-operation.ts';
import { extraFieldsArgument, formatExtraFields, toBodyFields } from './extra-fields.ts';
import { formatParsedActionResult } from './format-action-result.ts';
import { deliveryHint, formatDelivery, missingPasswordNotes } from './password-delivery.ts';
import { readVpsProgress } from './progress.ts';
import { readVpsStateAndContent } from './target-state.ts';

/** The password delivery in the API document's example of a reinstall. */
const defaultDelivery = 'api';

export const reinstall = defineChange({
  name: 'reinstall',
  heading: 'Reinstall a VPS',
  summary: 'Reinstall a VPS with an operating system of your choice; all its data is lost',
  arguments: {
    vps: vpsArgument(),
    os: remoteArgument({
      source: operatingSystemChoices,
      flag: 'os',
      label: 'Operating system',
      example: 'debian-13',
      valueName: 'OS',
    }),
    delivery: deliveryArgument(),
    fields: extraFieldsArgument(['os', 'delivery'], requiredFieldRows),
  },
  endpoint: reinstallVps,
  confirmation: { losesData: true, textToType: ({ vps }) => vps },
  button: 'Reinstall',
  warning:
    "All data on the VPS is lost for good. Its snapshots may be lost too; the hosting service doesn't say.",
  title: ({ vps, os, fields = [] }) => `Reinstall ${vps} with ${os}${formatExtraFields(fields)}`,
  target: ({ vps }) => vps,
  async readTargetState({ read }, { vps, delivery }) {
    const { facts, fingerprint } = await readVpsStateAndContent(read, vps);
    return { facts: [...facts, formatDelivery(delivery)], fingerprint };
  },
  request: ({ vps, os, delivery, fields = [] }) => ({
    params: { vps_name: vps },
    body: { ...toBodyFields(fields), os, delivery },
  }),
  outcome: (data, { vps, os, delivery }) => {
    const result = formatParsedActionResult(redactOneTimeResult(data, [vps, os, delivery]));
    return {
      title: `${vps} is being reinstalled with ${os}`,
      ...result,
      notes: missingPasswordNotes(result.secrets, { vps, delivery }),
      next: [
        { label: 'Show', operation: 'show', input: { vps } },
        { label: 'Live', operation: 'live', input: { vps } },
      ],
    };
  },
  readProgress: ({ read }, { vps }) => readVpsProgress(read, vps),
});

/** Creates an argument for how the password is delivered, with a default. */
function deliveryArgument(): Argument<string> {
  const argument = remoteArgument({
    source: passwordDeliveryChoices,
    flag: 'delivery',
    label: 'Password delivery',
    example: 'email',
    valueName: 'MODE',
    hint: deliveryHint,
  });
  return {
    ...argument,
    required: false,
    initial: defaultDelivery,
    schema: z.preprocess((value) => value ?? defaultDelivery, argument.schema),
  };
}
