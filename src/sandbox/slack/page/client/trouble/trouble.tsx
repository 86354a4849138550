import type { ReactNode } from 'react';
import type { Control } from '../control.ts';
import { Clock } from './clock.tsx';
import { CompanionTrouble } from './companion-trouble.tsx';
import type { FaultFacts } from './facts.ts';
import { FaultForm } from './fault-form.tsx';
import { FaultState } from './fault-state.tsx';
import { request } from './request.ts';
import { slackFaults } from './slack-faults.ts';
import { Token } from './token.tsx';
import { useFacts } from './use-facts.ts';

/** Breaks things on demand, and tells what waits and what struck. */
export function Trouble({ control }: { readonly control: Control }): ReactNode {
  const { facts, failure, setFacts } = useFacts<FaultFacts>(control, 'faults', ['faults', 'clock']);
  if (failure) return <p className="workbench-empty">Trouble cannot be read: {failure}</p>;
  if (!facts) return null;
  const callOff = async () =>
    setFacts(await request<FaultFacts>('DELETE', `faults?${new URLSearchParams({ team: control.team })}`));

  return (
    <div className="trouble">
      <section className="trouble-part" aria-labelledby="trouble-title">
        <h3 id="trouble-title">Between Slack and the app</h3>
        <FaultState {...facts} callOff={callOff} />
        {slackFaults(facts).map(({ waits, verb, ...kind }) => (
          <FaultForm
            key={kind.name}
            kind={kind}
            waits={waits}
            verb={verb}
            ask={(fault, times) => control.post('faults', { fault, times })}
          />
        ))}
        <Token control={control} isRevoked={facts.token_revoked} />
        <Clock control={control} nowMs={facts.now} />
      </section>
      <CompanionTrouble control={control} />
    </div>
  );
}
