import { getReinstallOptions } from '../../hosting/endpoints/vps.ts';
import { type ReinstallOptions, readReinstallOptions } from '../../hosting/payloads/reinstall-options.ts';
import { vpsArgument } from '../choices/sources/vps.ts';
import { defineRead } from '../define/define-operation.ts';
import type { Outcome } from '../define/outcome.ts';
import { formatResult } from '../format/format-result.ts';

export const osList = defineRead({
  name: 'os list',
  heading: 'List systems',
  summary: 'List the operating systems that can be installed on a VPS',
  arguments: { vps: vpsArgument() },
  endpoints: [getReinstallOptions],
  async run({ read }, { vps }) {
    const data = await read(getReinstallOptions, { params: { vps_name: vps } });
    return formatSystems(readReinstallOptions(data), vps);
  },
});

function formatSystems(
  { operatingSystems: systems, requiredFields, otherFields }: ReinstallOptions,
  vps: string,
): Outcome {
  const count = systems.length;
  return {
    title:
      count === 0
        ? `No systems shown for ${vps}`
        : `${count === 1 ? '1 system' : `${count} systems`} for ${vps}`,
    ...formatResult(otherFields, { omit: ['vps_name'] }),
    ...(count > 0 && {
      table: {
        columns: ['System', '--os value'],
        rows: systems.map(({ os, label = os }) => [label, { kind: 'code', code: os }]),
      },
    }),
    notes: [
      ...(count === 0 ? ["Rackhand found no systems in the service's response."] : []),
      ...requiredFields.map((name) => `The service requires ${name}. Set it with --field ${name}=VALUE.`),
    ],
    choiceSteps:
      count === 0
        ? []
        : [{ label: 'Reinstall With…', operation: 'reinstall', argument: 'os', input: { vps } }],
    next: [{ label: 'Show VPS', operation: 'show', input: { vps } }],
  };
}
