import type { WaitingRun } from '../../run.ts';
import { labelShownFacts } from '../names/label-shown-vps.ts';
import type { RunServices } from '../run-services.ts';
import { readStoredChange } from '../unreadable-runs.ts';
import { createApprovalCard } from './approval-card.ts';

/**
 * Shows the buttons on a run's approval cards again. A process that ended during an approver's check
 * has left one without them. The cards show the target's present state.
 */
export async function restoreApprovalCards(run: WaitingRun, services: RunServices): Promise<void> {
  const { catalogue, openEnvironment, approvalCards, runs, owner, now } = services;
  const stored = readStoredChange(run, catalogue);
  if (stored.kind === 'readable') {
    const change = { run, ...stored, sendByMs: 0, ...openEnvironment(run) };
    const { operation, parsed, operationContext } = change;
    const target = await operation.readTargetState?.(operationContext, parsed.input);
    const { facts, fingerprint } = target ?? { facts: [], fingerprint: '' };
    const request = { confirmedState: fingerprint, expiresMs: run.expiresMs ?? now() };
    // Otherwise, the cards show a decision, or another click has renewed them.
    if (await runs.renewApproval(run, request, now())) {
      const shown = await labelShownFacts(facts, change);
      const hasTargetChanged = fingerprint !== run.confirmedState;
      const card = createApprovalCard({ ...change, run: { ...run, ...request } }, shown, hasTargetChanged);
      await approvalCards.update(card, run.approval?.cards ?? []);
    }
  } else services.unreadableRuns.add(run, stored.reason);
  await runs.disownApproval(run.id, owner);
}
