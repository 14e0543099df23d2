import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parse } from 'yaml';
import { readEnvironment } from '../../src/infrastructure/config/env.js';
import { SETTINGS } from '../../src/infrastructure/config/settings.js';
import { folderWith } from '../support/folders.js';

type Selector = Record<string, string>;

interface Container {
  readonly image: string;
  readonly command?: readonly string[];
  readonly ports?: readonly { readonly name: string; readonly containerPort: number }[];
}

interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly labels: Selector };
  readonly spec: {
    readonly selector?: Selector & { readonly matchLabels?: Selector };
    readonly template?: {
      readonly metadata: { readonly labels: Selector };
      readonly spec: { readonly terminationGracePeriodSeconds?: number; readonly containers: [Container] };
    };
  };
}

const FOLDER = 'deploy/kubernetes';
const text = (path: string): string => readFileSync(path, 'utf8');
const kustomization = parse(text(join(FOLDER, 'kustomization.yaml'))) as {
  resources: string[];
  images: { newTag: string }[];
  configMapGenerator: { literals: string[] }[];
};
const manifests = kustomization.resources.map((name) => parse(text(join(FOLDER, name))) as Manifest);
const of = (kind: string): Manifest => manifests.find((manifest) => manifest.kind === kind)!;
const pod = of('Deployment').spec.template!;
const settings = Object.fromEntries(
  kustomization.configMapGenerator.flatMap(({ literals }) => literals.map((one) => one.split(/=(.*)/, 2))),
) as Record<string, string>;

describe('the manifests of Kubernetes', () => {
  it('are all named in kustomization.yaml, and none is a Secret', () => {
    expect(readdirSync(FOLDER).sort()).toEqual([...kustomization.resources, 'kustomization.yaml'].sort());
    expect(manifests.map(({ kind }) => kind)).not.toContain('Secret');
  });

  it('have the form of the schema of Kubernetes, and no field that is not in it', () => {
    const written = manifests.filter(({ kind }) => kind !== 'ServiceMonitor');
    const types = (version: string): string =>
      resolve('node_modules/kubernetes-types', version === 'v1' ? 'core/v1' : version.replace('.k8s.io', ''));
    const source = written.map(
      (manifest) =>
        `const ${manifest.kind}: import('${types(manifest.apiVersion)}.js').${manifest.kind} = ${JSON.stringify(manifest)};\n`,
    );
    const file = join(folderWith({ 'manifests.ts': source.join('') }), 'manifests.ts');
    const options = ['--noEmit', '--strict', '--ignoreConfig', '--module', 'nodenext', '--types', 'node'];
    const tsc = spawnSync(process.execPath, ['node_modules/typescript/bin/tsc', ...options, file], {
      encoding: 'utf8',
    });
    expect(tsc.stdout + tsc.stderr).toBe('');
  });

  it('give the service settings that it accepts, of secrets those that the page names', () => {
    const page = text('docs/deploying-elsewhere.md');
    const secrets = [...page.matchAll(/--from-literal=([A-Z_]+)=/g)].map(([, name = '']) => name);
    expect(secrets).toContain('DATABASE_URL');
    const named = [...secrets, ...Object.keys(settings)].filter((name) => !name.startsWith('AWS_'));
    expect(named.filter((name) => !(name in SETTINGS))).toEqual([]);
    expect(() => readEnvironment({ ...settings, TOKEN_SIGNING_KEY: 'k'.repeat(32) })).not.toThrow();
  });

  it('name the ports, probes, pods, command and version that there are', () => {
    const [{ ports = [] }] = pod.spec.containers;
    expect(Object.fromEntries(ports.map(({ name, containerPort }) => [name, String(containerPort)]))).toEqual(
      { http: SETTINGS.PORT.default, metrics: settings.METRICS_PORT },
    );
    const probed = [...text(join(FOLDER, 'deployment.yaml')).matchAll(/path: \/health\/(\w+)/g)];
    const routes = text('src/infrastructure/health/health.controller.ts');
    for (const [, path] of probed) expect(routes).toContain(`@Get('${path}')`);
    for (const { spec } of [of('Deployment'), of('Service'), of('PodDisruptionBudget')]) {
      expect(spec.selector!.matchLabels ?? spec.selector).toEqual(pod.metadata.labels);
    }
    expect(of('ServiceMonitor').spec.selector!.matchLabels).toEqual(of('Service').metadata.labels);
    const command = of('Job').spec.template!.spec.containers[0].command!;
    expect(text('docs/operating/commands.md')).toContain(`\`${command.slice(1).join(' ')}\``);
    const { version } = JSON.parse(text('package.json')) as { version: string };
    expect(kustomization.images.map(({ newTag }) => newTag)).toEqual([version]);
    expect(text('deploy/compose.yaml')).toContain(`image: data-import:${version}\n`);
  });

  it('leave a pod more time to stop than the service needs', () => {
    // 15 s for running requests, 3 s for those that are cut off, 3 s for the end. Source: src/apps/http/serving.ts.
    expect(pod.spec.terminationGracePeriodSeconds).toBeGreaterThan(Number(settings.DRAIN_SECONDS) + 21);
  });
});
