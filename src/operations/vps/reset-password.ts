import { resetRootPassword } from '../../hosting/endpoints/vps.ts';
import { redactOneTimeResult } from '../../hosting/secret-redaction.ts';
import { vpsArgument } from '../choices/sources/vps.ts';
import { choiceArgument } from '../define/arguments/argument.ts';
import { defineChange } from '../define/define-operation.ts';
import { formatParsedActionResult } from './format-action-result.ts';
import {
  deliveryHint,
  formatDelivery,
  missingPasswordNotes,
  passwordDeliveries,
} from './password-delivery.ts';
import { readVpsState } from './target-state.ts';

export const passwordReset = defineChange({
  name: 'password reset',
  heading: 'Reset root password',
  summary: 'Reset the root password of a VPS',
  arguments: {
    vps: vpsArgument(),
    delivery: choiceArgument({
      options: passwordDeliveries,
      flag: 'delivery',
      label: 'Password delivery',
      example: 'email',
      hint: deliveryHint,
    }),
  },
  endpoint: resetRootPassword,
  button: 'Reset Password',
  warning: 'The current root password stops working.',
  title: ({ vps }) => `Reset the root password of ${vps}`,
  target: ({ vps }) => vps,
  async readTargetState({ read }, { vps, delivery }) {
    const { facts, fingerprint } = await readVpsState(read, vps);
    return { facts: [formatDelivery(delivery), ...facts], fingerprint };
  },
  request: ({ vps, delivery }) => ({ params: { vps_name: vps }, body: { delivery } }),
  outcome: (data, { vps, delivery }) => {
    const result = formatParsedActionResult(redactOneTimeResult(data, [vps, delivery]));
    return {
      title: `${vps} has a new root password`,
      ...result,
      notes: missingPasswordNotes(result.secrets, { vps, delivery }),
      next: [{ label: 'Show', operation: 'show', input: { vps } }],
    };
  },
});
