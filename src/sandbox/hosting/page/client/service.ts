/** What the service's control API answers, as far as the page reads it. Times are in ms since 1970, shares 0 to 1. */

export interface Machine {
  readonly vps_name: string;
  readonly hostname: string;
  readonly plan: string;
  readonly region: string;
  readonly os: string;
  readonly state: string;
  readonly since: number;
  readonly until: number | null;
  readonly ipv4: string | null;
  readonly load: { readonly cpu: number; readonly memory: number; readonly disk: number };
  readonly snapshots: readonly {
    readonly name: string;
    readonly size_gb: number;
    readonly is_ready: boolean;
  }[];
  readonly has_backup: boolean;
}

export interface ApiKey {
  readonly key: string;
  readonly permissions: readonly string[];
  readonly quota: number;
}

export interface Call {
  readonly id: number;
  readonly at: number;
  readonly method: string;
  readonly path: string;
  /** 0 as long as nothing was answered. */
  readonly status: number;
  readonly key: string | null;
  readonly took_ms: number | null;
  readonly is_over_quota: boolean;
  readonly fault: string | null;
}

export interface WholeCall extends Call {
  readonly query: Readonly<Record<string, string>>;
  readonly body: unknown;
  readonly answer: string | null;
}

export interface Webgate {
  readonly quotas: Readonly<Record<'domains' | 'dedicated_ports' | 'load_balancers', number>>;
  readonly domains: readonly { readonly domain_name: string; readonly vps_name: string }[];
  readonly dedicated_ports: readonly {
    readonly vps_name: string;
    readonly protocol: string;
    readonly target_port: number;
    readonly external_port: number;
  }[];
  readonly load_balancers: readonly {
    readonly domain_name: string;
    readonly mode: string;
    readonly backends: readonly { readonly vps_name: string; readonly target_port: number }[];
  }[];
}

export interface Overview {
  readonly now: number;
  readonly account: { readonly id: string; readonly name: string; readonly email: string };
  readonly window_ms: number;
  readonly permissions: readonly string[];
  readonly keys: readonly ApiKey[];
  readonly machines: readonly Machine[];
  readonly webgate: Webgate;
  readonly vlan_quota: number;
  readonly vlans: readonly {
    readonly id: string;
    readonly name: string;
    readonly ip_range: string;
    readonly vps_count: number;
  }[];
  readonly calls: readonly Call[];
}

/** An entry of `GET /sandbox/events`. */
export type ServiceEvent =
  | { readonly kind: 'call'; readonly call: Call }
  | { readonly kind: 'faults' | 'keys' | 'reset' | 'state' | 'alive' };

/** Reads from the control API. Failures are errors with words to show. */
export async function read<Answer>(path: string): Promise<Answer> {
  const response = await fetch(`/sandbox/${path}`);
  if (!response.ok) throw new Error(`The service answered ${response.status}`);
  return response.json();
}
