import type { Overview } from './control-api.ts';

export function Permissions({ keys, permissions }: Pick<Overview, 'keys' | 'permissions'>) {
  return (
    <section id="permissions" aria-labelledby="permissions-title">
      <header className="section-head">
        <h2 id="permissions-title">Permissions</h2>
      </header>
      <table className="permissions">
        <thead>
          <tr>
            <th scope="col">Permission</th>
            {keys.map(({ key }) => (
              <th scope="col" key={key}>
                <code>{key}</code>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {permissions.map((permission) => (
            <tr key={permission}>
              <th scope="row">
                <code>{permission}</code>
              </th>
              {keys.map((key) => (
                <td key={key.key}>{key.permissions.includes(permission) ? 'yes' : 'no'}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

export function Network({ webgate, vlans, vlan_quota }: Pick<Overview, 'webgate' | 'vlans' | 'vlan_quota'>) {
  const { quotas, domains, dedicated_ports, load_balancers } = webgate;
  return (
    <section id="network" aria-labelledby="network-title">
      <header className="section-head">
        <h2 id="network-title">Network</h2>
      </header>
      <div className="network">
        <Group
          title="Load balancers"
          quota={quotas.load_balancers}
          rows={load_balancers.map(({ domain_name, mode, backends }) => [
            domain_name,
            `${mode} → ${backends.map(({ vps_name, target_port }) => `${vps_name}:${target_port}`).join(', ')}`,
          ])}
        />
        <Group
          title="Domains"
          quota={quotas.domains}
          rows={domains.map(({ domain_name, vps_name }) => [domain_name, `→ ${vps_name}`])}
        />
        <Group
          title="Dedicated ports"
          quota={quotas.dedicated_ports}
          rows={dedicated_ports.map(({ external_port, protocol, vps_name, target_port }) => [
            `${external_port} ${protocol}`,
            `→ ${vps_name}:${target_port}`,
          ])}
        />
        <Group
          title="VLANs"
          quota={vlan_quota}
          rows={vlans.map(({ name, ip_range, vps_count }) => [name, `${ip_range} · ${vps_count} VPS`])}
        />
      </div>
    </section>
  );
}

interface GroupProps {
  readonly title: string;
  readonly quota: number;
  readonly rows: readonly (readonly [string, string])[];
}

function Group({ title, quota, rows }: GroupProps) {
  return (
    <article className="group">
      <h3>
        {title}{' '}
        <small>
          {rows.length} of {quota}
        </small>
      </h3>
      <ul>
        {rows.map(([name, about]) => (
          <li key={name}>
            <b>{name}</b> <span>{about}</span>
          </li>
        ))}
      </ul>
    </article>
  );
}
