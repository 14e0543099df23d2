import { readFileSync, statSync } from 'node:fs';
import { Ajv, type AnySchemaObject } from 'ajv';
import { DockerfileParser, type Copy } from 'dockerfile-ast';
import { validate, ValidationSeverity } from 'dockerfile-utils';
import { parse } from 'yaml';
import { readEnvironment } from '../../src/infrastructure/config/env.js';
import { SETTINGS } from '../../src/infrastructure/config/settings.js';
import { filesIn } from './sources.js';

/** An alert of deploy/prometheus/alerts.yml, or a rule that records a metric. */
interface Rule {
  readonly alert?: string;
  readonly record?: string;
  readonly expr: string;
  readonly for?: string;
  readonly labels: Record<string, string>;
  readonly annotations?: Record<string, string>;
}

interface RuleTests {
  readonly tests: readonly {
    readonly name: string;
    readonly input_series: readonly { readonly series: string }[];
    readonly alert_rule_test: readonly {
      readonly alertname: string;
      readonly exp_alerts: readonly unknown[];
    }[];
  }[];
}

interface ComposeService {
  readonly image: string;
  readonly command?: readonly string[];
  readonly user?: string;
  readonly ports?: readonly string[];
  readonly volumes?: readonly string[];
  readonly networks?: readonly string[];
  readonly environment?: Record<string, string | number>;
  readonly env_file?: string;
  readonly read_only?: boolean;
  readonly cap_drop?: readonly string[];
  readonly cap_add?: readonly string[];
  readonly security_opt?: readonly string[];
  readonly healthcheck?: unknown;
  readonly stop_grace_period?: string;
  readonly restart?: string;
  readonly deploy?: { readonly resources: { readonly limits: Record<string, unknown> } };
}

interface Compose {
  readonly services: Record<string, ComposeService>;
}

const text = (path: string): string => readFileSync(path, 'utf8');
const yaml = (path: string): unknown => parse(text(path), { merge: true });

const { groups } = yaml('deploy/prometheus/alerts.yml') as { groups: { rules: Rule[] }[] };
const rules = groups.flatMap((group) => group.rules);
const alerts = rules.filter(({ alert }) => alert !== undefined);
const { tests: ruleTests } = yaml('deploy/prometheus/alerts.test.yml') as RuleTests;
const compose = yaml('deploy/compose.yaml') as Compose;
const imports = Object.entries(compose.services).filter(([name]) => name.startsWith('import-'));
const unit = text('deploy/data-import@.service');

/** The metrics named in queries. Recorded metrics have colons in their names. */
function metricsIn(query: string): string[] {
  const bare = query.replace(/"(?:[^"\\]|\\.)*"/g, '""').replace(/\b\w+:\w+:\w+/g, '');
  return bare.match(/\b(?:data_import|nodejs|process)_\w+/g) ?? [];
}

/** The name of a metric without the suffixes of histogram series. */
const metricOf = (series: string): string =>
  /^data_import_\w+_duration_seconds_/.test(series) ? series.replace(/_(bucket|count|sum)$/, '') : series;

describe('the alerts', () => {
  it('each have a severity, a sentence, and a section in docs/alerts.md, which has no others', () => {
    const sections = [...text('docs/alerts.md').matchAll(/^### (DataImport\w+)$/gm)].map(([, name]) => name);
    expect(sections).toEqual(alerts.map(({ alert }) => alert));
    for (const { alert = '', labels, annotations, for: delay } of alerts) {
      expect(labels.severity).toMatch(/^(critical|warning)$/);
      expect(annotations?.summary).toMatch(/\.$/);
      expect(annotations?.runbook_url).toBe(`docs/alerts.md#${alert.toLowerCase()}`);
      expect(delay).toMatch(/^\d+[mh]$/);
    }
  });

  it('each have a part of docs/alerts.md that says what it means, what to look at, what to do, and when it is over', () => {
    const sections = text('docs/alerts.md').split(/^### /m).slice(1);
    for (const section of sections) {
      for (const part of ['Means', 'Users', 'Look', 'Do', 'Over']) expect(section).toContain(`**${part}:**`);
    }
  });

  it('each have a test in which they fire, and one in which they do not', () => {
    const tested = (fires: boolean): string[] =>
      ruleTests
        .flatMap((test) => test.alert_rule_test)
        .filter(({ exp_alerts: expected }) => expected.length > 0 === fires)
        .map(({ alertname }) => alertname);
    const names = alerts.map(({ alert }) => alert!).sort();
    expect([...new Set(tested(true))].sort()).toEqual(names);
    expect([...new Set(tested(false))].sort()).toEqual(names);
  });
});

describe('the metrics', () => {
  /** Metrics of /metrics that prom-client adds to those in the sources. */
  const OF_PROM_CLIENT = [
    'nodejs_eventloop_lag_p99_seconds',
    'nodejs_heap_size_used_bytes',
    'process_cpu_seconds_total',
    'process_resident_memory_bytes',
    'process_start_time_seconds',
  ];
  /** Every metric name in the files of src. */
  const known = new Set([
    ...filesIn('src').flatMap(({ text: source }) => source.match(/\bdata_import_\w+/g) ?? []),
    ...OF_PROM_CLIENT,
  ]);
  const unknown = (named: readonly string[]): string[] =>
    [...new Set(named.map(metricOf))].filter((name) => !known.has(name));

  it('that the rules and their tests name are those of the service', () => {
    expect(unknown(rules.flatMap(({ expr }) => metricsIn(expr)))).toEqual([]);
    const series = ruleTests.flatMap((test) => test.input_series.map((input) => input.series));
    expect(unknown(series.flatMap(metricsIn))).toEqual([]);
  });

  it('that the dashboard shows are those of the service, or recorded by a rule', () => {
    const dashboard = JSON.parse(text('deploy/grafana/dashboards/data-import.json')) as {
      panels: { id: number; targets?: { expr: string }[] }[];
    };
    const queries = dashboard.panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));
    expect(queries.length).toBeGreaterThan(20);
    const recorded = new Set(rules.map(({ record }) => record));
    const named = queries.flatMap((query) => query.match(/\b\w+:\w+:\w+/g) ?? []);
    expect(named.filter((name) => !recorded.has(name))).toEqual([]);
    expect(unknown(queries.flatMap(metricsIn))).toEqual([]);
    expect(new Set(dashboard.panels.map(({ id }) => id)).size).toBe(dashboard.panels.length);
  });
});

describe('the settings', () => {
  /** Variables for other programs, Node.js and the AWS SDK. */
  const OTHERS =
    /^(NODE_ENV|INIT_CWD|PGPASSWORD|AWS_(ACCESS_KEY_ID|SECRET_ACCESS_KEY)|USER|HOME|POSTGRES_\w+|GARAGE_\w+|GF_\w+)$/;

  it('in the files of deploy are those of the service', () => {
    const given = [
      ...[...unit.matchAll(/^Environment=(.*)$/gm)].flatMap(
        ([, list = '']) => list.match(/\b[A-Z_]+(?==)/g) ?? [],
      ),
      ...[...text('deploy/data-import.env.example').matchAll(/^([A-Z_]+)=/gm)].map(([, name = '']) => name),
      ...[...text('deploy/make-secrets').matchAll(/"([A-Z_]+)=\$/g)].map(([, name = '']) => name),
      ...[...text('deploy/Dockerfile').matchAll(/^ENV (.*)$/gm)].flatMap(
        ([, list = '']) => list.match(/\b[A-Z_]+(?==)/g) ?? [],
      ),
      ...[...text('deploy/data-import').matchAll(/\b([A-Z_]+)=/g)].map(([, name = '']) => name),
      ...Object.values(compose.services).flatMap(({ environment = {} }) => Object.keys(environment)),
    ];
    expect(given.length).toBeGreaterThan(20);
    expect(given.filter((name) => !(name in SETTINGS) && !OTHERS.test(name))).toEqual([]);
  });

  it('of the example and of the compose file are values that the service accepts', () => {
    const key = 'k'.repeat(32);
    const lines = text('deploy/data-import.env.example').matchAll(/^([A-Z_]+)='(.*)'$/gm);
    const example = Object.fromEntries([...lines].map((line) => line.slice(1))) as Record<string, string>;
    expect(readEnvironment({ ...example, TOKEN_SIGNING_KEY: key })).toMatchObject({
      TRUSTED_PROXIES: ['127.0.0.1'],
    });
    for (const [, { environment = {} }] of imports) {
      const written = Object.entries(environment).map(([name, value]) => [name, String(value)] as const);
      const settings: Record<string, string> = Object.fromEntries(written);
      expect(() => readEnvironment({ ...settings, TOKEN_SIGNING_KEY: key })).not.toThrow();
    }
  });
});

describe('the image', () => {
  it('has no findings of the linter, which applies the rules of BuildKit', () => {
    const findings = validate(text('deploy/Dockerfile')).filter(
      ({ severity }) => severity === ValidationSeverity.ERROR || severity === ValidationSeverity.WARNING,
    );
    expect(findings.map(({ message }) => message)).toEqual([]);
  });

  it('is built in stages from tagged images, and runs as an unprivileged user in a process that receives signals', () => {
    const file = DockerfileParser.parse(text('deploy/Dockerfile'));
    const froms = file.getFROMs();
    expect(froms.length).toBeGreaterThan(1);
    for (const from of froms) expect(from.getImageTag()).toMatch(/^(22|24)-\w+-slim$/);
    const last = file
      .getInstructions()
      .filter((each) => each.getRange().start.line > froms.at(-1)!.getRange().start.line);
    const valuesOf = (name: string): string[] =>
      last.filter((each) => each.getKeyword() === name).map((each) => each.getArgumentsContent() ?? '');
    expect(valuesOf('USER')).toEqual(['node']);
    expect(valuesOf('CMD')).toEqual(['["node", "scripts/start.mjs"]']);
    expect(valuesOf('HEALTHCHECK')).toEqual([
      expect.stringMatching(/CMD \["node", "-e", ".*\/health\/ready/),
    ]);
    expect(valuesOf('ADD')).toEqual([]);
    const copies = last.filter((each): each is Copy => each.getKeyword() === 'COPY');
    expect(copies.map((copy) => copy.getFlags()[0]?.getValue())).toEqual(['build']);
  });

  it('has the operator commands as a program that its user may run', () => {
    const [, program = ''] = /ln -s \/opt\/data-import\/(\S+) /.exec(text('deploy/Dockerfile')) ?? [];
    expect(text(program)).toMatch(/^#!\/usr\/bin\/env node\n/);
    expect(statSync(program).mode & 0o100).not.toBe(0);
  });

  it('is built from named files only, so that no secret gets into it', () => {
    const lines = text('.dockerignore')
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'));
    expect(lines[0]).toBe('*');
    expect(lines.slice(1).filter((line) => !line.startsWith('!'))).toEqual([]);
    expect(lines.filter((line) => /\.env|secrets|\.data/.test(line))).toEqual([]);
  });

  it('is given every file that a release copies', () => {
    const given = text('.dockerignore').split('\n');
    const copied = [...text('deploy/release').matchAll(/^ *cp (?:-r )?([^-].*) "\$target\S*"$/gm)].flatMap(
      ([, names = '']) => names.replace('scripts/{start,cli,prepare,npm-shell}.mjs', 'scripts').split(' '),
    );
    expect(copied).toContain('package-lock.json');
    expect(copied.filter((name) => !given.includes(`!${name}`))).toEqual([]);
  });
});

describe('the compose file', () => {
  const services = Object.entries(compose.services);

  it('has the form that the compose specification describes', () => {
    const schema = JSON.parse(text('node_modules/dclint/schemas/compose.schema.json')) as AnySchemaObject;
    // The schema does not name its version of JSON Schema in the form that the version requires.
    const ajv = new Ajv({ strict: false, validateFormats: false });
    expect(ajv.validate({ ...schema, $schema: undefined }, compose)).toBe(true);
  });

  it('has no secrets in it', () => {
    const written = services.flatMap(([, { environment = {} }]) => Object.keys(environment));
    expect(written.filter((name) => /PASSWORD|SECRET|KEY|TOKEN/.test(name))).toEqual([]);
    expect(text('deploy/compose.yaml')).not.toMatch(/\/\/[^/@\s]*:[^/@\s]*@/);
    const files = services.flatMap(([, service]) => service.env_file ?? []);
    expect(files.filter((file) => !file.startsWith('secrets/'))).toEqual([]);
    expect(text('.gitignore').split('\n')).toContain('deploy/secrets/');
  });

  it('opens no port to the outside except that of the proxy', () => {
    const open = services.flatMap(([name, { ports = [] }]) =>
      ports.filter((port) => !port.startsWith('127.0.0.1:')).map((port) => `${name} ${port}`),
    );
    expect(open).toEqual(['haproxy 443:8443']);
  });

  it('gives every container a read-only file system, no rights, limits, and a tagged image', () => {
    for (const [name, service] of services) {
      expect(service).toMatchObject({
        read_only: true,
        cap_drop: ['ALL'],
        security_opt: ['no-new-privileges:true'],
      });
      expect(service.cap_add ?? []).toEqual(name === 'garage-volume' ? ['CHOWN'] : []);
      expect(Object.keys(service.deploy!.resources.limits).sort()).toEqual(['cpus', 'memory', 'pids']);
      expect(service.image).toMatch(/:v?\d/);
      // The service's health check is in its image; the other container ends.
      const isChecked =
        service.healthcheck !== undefined || name.startsWith('import-') || service.restart === 'no';
      expect(isChecked).toBe(true);
    }
  });

  it('connects the proxy and the service only by the network whose addresses are trusted', () => {
    for (const [, { networks = [] }] of imports) {
      expect(networks.filter((network) => compose.services.haproxy!.networks!.includes(network))).toEqual([
        'front',
      ]);
    }
  });

  it('has the HAProxy of a machine, with other addresses', () => {
    const { replaced, rest } = {
      replaced: new Map([
        ['log /dev/log local0', 'log stdout format raw local0'],
        ['user haproxy', undefined],
        ['group haproxy', undefined],
        [
          'bind :443 ssl crt /etc/haproxy/import.example.com.pem',
          'bind :8443 ssl crt /run/secrets/certificate.pem',
        ],
        ['server one 127.0.0.1:3001', 'server one import-1:3000'],
        ['server two 127.0.0.1:3002', 'server two import-2:3000'],
      ]),
      rest: (path: string): string[] => text(path).slice(text(path).indexOf('\nglobal\n')).split('\n'),
    };
    const expected = rest('deploy/haproxy.cfg').flatMap((line) => {
      for (const [from, to] of replaced) {
        if (line.trim().startsWith(from)) return to === undefined ? [] : [line.replace(from, to)];
      }
      return [line];
    });
    expect(rest('deploy/compose/haproxy.cfg')).toEqual(expected);
  });
});

it('the proxies tell browsers to use TLS only', () => {
  for (const path of ['deploy/haproxy.cfg', 'deploy/kubernetes/ingress.yaml', 'docs/tls-and-proxies.md']) {
    expect(text(path)).toMatch(/Strict-Transport-Security "?max-age=31536000/);
  }
});

it('the unit is started again without an end, and leaves no secrets in a core dump', () => {
  expect(unit).toMatch(/^StartLimitIntervalSec=0$/m);
  expect(unit).toMatch(/^Restart=on-failure$/m);
  expect(unit).toMatch(/^LimitCORE=0$/m);
});

describe('the times to stop', () => {
  /** 15 s for running requests, 3 s for those that are cut off, 3 s for the end. Source: src/apps/http/serving.ts. */
  const STOP_SECONDS = 21;

  it('of the unit and of the containers are longer than the service needs', () => {
    const example = Number(/^DRAIN_SECONDS='(\d+)'$/m.exec(text('deploy/data-import.env.example'))?.[1]);
    expect(Number(/^TimeoutStopSec=(\d+)s$/m.exec(unit)?.[1])).toBeGreaterThan(example + STOP_SECONDS);
    for (const [, service] of imports) {
      const drain = Number(service.environment?.DRAIN_SECONDS);
      expect(Number(/^(\d+)s$/.exec(service.stop_grace_period!)?.[1])).toBeGreaterThan(drain + STOP_SECONDS);
    }
  });
});
