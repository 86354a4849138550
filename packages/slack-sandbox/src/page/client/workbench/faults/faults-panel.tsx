import type { ReactNode } from 'react';
import type { ControlClient } from '../../state/control-client.ts';
import { useControlData } from '../../state/use-control-data.ts';
import { ClockControl } from './clock-control.tsx';
import { CompanionFaults } from './companion-faults.tsx';
import type { FaultData } from './fault-data.ts';
import { FaultForm } from './fault-form.tsx';
import { FaultList } from './fault-list.tsx';
import { request } from './request.ts';
import { listSlackFaults } from './slack-faults.ts';
import { TokenControl } from './token-control.tsx';

/** Injects faults on demand. Lists the pending and triggered ones. */
export function FaultsPanel({ control }: { readonly control: ControlClient }): ReactNode {
  const { data, error, setData } = useControlData<FaultData>(control, 'faults', ['faults', 'clock']);
  if (error) return <p className="workbench-empty">Faults cannot be loaded: {error}</p>;
  if (!data) return null;
  const cancelPending = async () =>
    setData(await request<FaultData>('DELETE', `faults?${new URLSearchParams({ team: control.team })}`));

  return (
    <div className="trouble">
      <section className="trouble-part" aria-labelledby="trouble-title">
        <h3 id="trouble-title">Between Slack and the app</h3>
        <FaultList pending={data.waiting} triggered={data.struck} cancelPending={cancelPending} />
        {listSlackFaults(data).map(({ waits, verb, ...kind }) => (
          <FaultForm
            key={kind.name}
            kind={kind}
            isRepeatable={waits}
            verb={verb}
            onArm={(fault, times) => control.post('faults', { fault, times })}
          />
        ))}
        <TokenControl control={control} isRevoked={data.token_revoked} />
        <ClockControl control={control} nowMs={data.now} />
      </section>
      <CompanionFaults control={control} />
    </div>
  );
}
