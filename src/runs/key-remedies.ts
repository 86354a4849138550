import type { ErrorCode } from '../errors.ts';
import type { RequiredAccess } from '../operations/define/access/access.ts';
import { connectKeyStep, replaceKeyStep } from '../operations/define/key-steps.ts';
import type { NextStep } from '../operations/define/outcome.ts';

/** The access needed to connect or replace the API key. */
export const keyRequiredAccess: RequiredAccess = { right: 'admin', vps: [] };

/** The fix for a problem with the API key, and the people who can make it. */
interface KeyRemedy {
  readonly step: NextStep;
  /** For people who are allowed to change the key. */
  readonly adviceForAdmins: string;
  /** For everyone else, and if the reader is unknown. */
  readonly adviceForOthers: string;
}

const keyAdmins = 'a workspace owner or admin, or someone with the admin right,';

export const keyRemedies = {
  key_missing: {
    step: connectKeyStep,
    adviceForAdmins: 'Connect an API key. It takes a minute.',
    adviceForOthers: `Ask ${keyAdmins} to connect one.`,
  },
  key_rejected: {
    step: replaceKeyStep,
    adviceForAdmins: 'The key may have been revoked. Replace it.',
    adviceForOthers: `The key may have been revoked. Ask ${keyAdmins} to replace it.`,
  },
  permission_missing: {
    step: replaceKeyStep,
    adviceForAdmins:
      "Add the permission to the key in the hosting service's dashboard, or connect a key that has it.",
    adviceForOthers: `Ask ${keyAdmins} to connect a key that has it.`,
  },
} as const satisfies Partial<Record<ErrorCode, KeyRemedy>>;

/** Returns how to fix an error that the API key causes. Returns undefined for other errors. */
export function findKeyRemedy(code: ErrorCode): KeyRemedy | undefined {
  return Object.entries(keyRemedies).find(([known]) => known === code)?.[1];
}
