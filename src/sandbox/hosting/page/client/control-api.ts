/** The fields of the control API's responses that the page uses. Times are in epoch ms. Shares are from 0 to 1. */

export interface VpsOverview {
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

export interface CallSummary {
  readonly id: number;
  readonly at: number;
  readonly method: string;
  readonly path: string;
  /** 0 until the call is answered. */
  readonly status: number;
  readonly key: string | null;
  readonly took_ms: number | null;
  readonly is_over_quota: boolean;
  readonly fault: string | null;
}

export interface CallWithBodies extends CallSummary {
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
  readonly slack_url: string | null;
  readonly account: { readonly id: string; readonly name: string; readonly email: string };
  readonly window_ms: number;
  readonly permissions: readonly string[];
  readonly keys: readonly ApiKey[];
  readonly machines: readonly VpsOverview[];
  readonly webgate: Webgate;
  readonly vlan_quota: number;
  readonly vlans: readonly {
    readonly id: string;
    readonly name: string;
    readonly ip_range: string;
    readonly vps_count: number;
  }[];
  readonly calls: readonly CallSummary[];
}

/** An entry of `GET /sandbox/events`. */
export type ServiceEvent =
  | { readonly kind: 'call'; readonly call: CallSummary }
  | { readonly kind: 'faults' | 'keys' | 'reset' | 'state' | 'alive' };

/** Reads from the control API. Throws errors whose message can be shown to people. */
export async function fetchJson<Answer>(path: string): Promise<Answer> {
  const response = await fetch(`/sandbox/${path}`);
  if (!response.ok) throw new Error(`The service answered ${response.status}`);
  return response.json();
}
