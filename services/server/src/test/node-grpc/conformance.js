// conformance.js ADDRESS PROTOS : asks Envoy's rate-limit service as a proxy would, with a gRPC
// implementation and the published protocol files of others. Prints a line for each check:
// "ok NAME" or "not ok NAME: REASON".
'use strict';

const assert = require('node:assert');
const grpc = require('@grpc/grpc-js');
const loader = require('@grpc/proto-loader');

const [address, protos] = process.argv.slice(2);
const definition = loader.loadSync(
  [
    'envoy/service/ratelimit/v3/rls.proto',
    'grpc/health/v1/health.proto',
    'grpc/reflection/v1/reflection.proto',
  ],
  { includeDirs: [protos], keepCase: true, longs: String, enums: String, defaults: true },
);
const loaded = grpc.loadPackageDefinition(definition);
const insecure = grpc.credentials.createInsecure();
const limits = new loaded.envoy.service.ratelimit.v3.RateLimitService(address, insecure);
const health = new loaded.grpc.health.v1.Health(address, insecure);
const reflection = new loaded.grpc.reflection.v1.ServerReflection(address, insecure);

const MAX_MS = 20000;
const entry = (key, value) => ({ key, value });
const descriptor = (...entries) => ({ entries });

function call(client, method, request, ms = MAX_MS) {
  return new Promise((resolve, reject) => {
    client[method](request, { deadline: Date.now() + ms }, (error, answer) =>
      error ? reject(error) : resolve(answer),
    );
  });
}

const ask = (domain, descriptors, more = {}, ms = MAX_MS) =>
  call(limits, 'ShouldRateLimit', { domain, descriptors, ...more }, ms);

async function fails(code, promise) {
  const error = await promise.then(
    () => assert.fail('was answered'),
    (e) => e,
  );
  assert.strictEqual(error.code, code, `${error.code} ${error.details}`);
  return error.details;
}

const checks = {
  async 'a limit of 10 admits 10'() {
    const codes = [];
    for (let i = 0; i < 15; i++) {
      codes.push((await ask('edge', [descriptor(entry('tenant', 'node'))])).overall_code);
    }
    assert.deepStrictEqual(codes, [...Array(10).fill('OK'), ...Array(5).fill('OVER_LIMIT')]);
  },

  async 'many at once are admitted as often as one by one'() {
    const all = await Promise.all(
      Array.from({ length: 40 }, () => ask('edge', [descriptor(entry('tenant', 'many'))])),
    );
    assert.strictEqual(all.filter((answer) => answer.overall_code === 'OK').length, 10);
  },

  async 'the status tells the limit, what is left and when it is back'() {
    const { statuses } = await ask('edge', [descriptor(entry('tenant', 'status'))]);
    assert.strictEqual(statuses.length, 1);
    assert.strictEqual(statuses[0].code, 'OK');
    assert.strictEqual(statuses[0].current_limit.requests_per_unit, 10);
    assert.strictEqual(statuses[0].current_limit.unit, 'MINUTE');
    assert.strictEqual(statuses[0].limit_remaining, 9);
    assert.ok(Number(statuses[0].duration_until_reset.seconds) <= 6);
  },

  async 'hits_addend of the request counts, and 0 is 1'() {
    const one = descriptor(entry('tenant', 'addend'));
    assert.strictEqual(
      (await ask('edge', [one], { hits_addend: 6 })).statuses[0].limit_remaining, 4);
    assert.strictEqual(
      (await ask('edge', [one], { hits_addend: 0 })).statuses[0].limit_remaining, 3);
    assert.strictEqual((await ask('edge', [one], { hits_addend: 4 })).overall_code, 'OVER_LIMIT');
    assert.strictEqual((await ask('edge', [one], { hits_addend: 3 })).overall_code, 'OK');
  },

  async 'hits_addend of a descriptor overrules the request, and 0 is none'() {
    const own = (hits) => ({
      ...descriptor(entry('tenant', 'own-addend')),
      hits_addend: { value: hits },
    });
    const most = { hits_addend: 9 };
    assert.strictEqual((await ask('edge', [own(4)], most)).statuses[0].limit_remaining, 6);
    assert.strictEqual((await ask('edge', [own(0)], most)).statuses[0].limit_remaining, 6);
    assert.strictEqual((await ask('edge', [own(7)], most)).overall_code, 'OVER_LIMIT');
  },

  async 'several descriptors are all or none'() {
    const tenant = descriptor(entry('tenant', 'all-or-none'));
    const over = {
      ...descriptor(entry('remote_address', '10.1.1.1')),
      hits_addend: { value: 4 },
    };
    const refused = await ask('edge', [tenant, over]);
    assert.strictEqual(refused.overall_code, 'OVER_LIMIT');
    assert.deepStrictEqual(
      refused.statuses.map((status) => status.code), ['OK', 'OVER_LIMIT']);
    assert.strictEqual((await ask('edge', [tenant])).statuses[0].limit_remaining, 9);
  },

  async 'an unknown domain is answered as configured'() {
    assert.strictEqual((await ask('nowhere', [descriptor(entry('a', 'b'))])).overall_code, 'OK');
    assert.strictEqual(
      (await ask('closed', [descriptor(entry('a', 'b'))])).overall_code, 'OVER_LIMIT');
  },

  async 'a value that is no name is limited all the same'() {
    const strange = descriptor(entry('tenant', '../../ä {key.tenant}\u0000'));
    const codes = [];
    for (let i = 0; i < 12; i++) {
      codes.push((await ask('edge', [strange])).overall_code);
    }
    assert.strictEqual(codes.filter((code) => code === 'OK').length, 10);
  },

  async '64 descriptors are answered, 1,000 are refused by name'() {
    const list = (count) =>
      Array.from({ length: count }, (_, i) => descriptor(entry('tenant', `list-${i}`)));
    assert.strictEqual((await ask('edge', list(64))).statuses.length, 64);
    const details = await fails(grpc.status.INVALID_ARGUMENT, ask('edge', list(1000)));
    assert.match(details, /descriptors: 1000 must be from 1 to 64/);
  },

  async 'an empty request is refused by name'() {
    assert.match(await fails(grpc.status.INVALID_ARGUMENT, ask('', [])), /domain/);
    assert.match(await fails(grpc.status.INVALID_ARGUMENT, ask('edge', [])), /descriptors: 0/);
  },

  async 'a deadline that is over ends the call'() {
    await fails(
      grpc.status.DEADLINE_EXCEEDED, ask('edge', [descriptor(entry('tenant', 'late'))], {}, -1));
  },

  async 'health tells that it serves'() {
    assert.strictEqual((await call(health, 'Check', { service: '' })).status, 'SERVING');
    assert.strictEqual(
      (await call(health, 'Check', { service: 'envoy.service.ratelimit.v3.RateLimitService' }))
        .status,
      'SERVING');
    await fails(grpc.status.NOT_FOUND, call(health, 'Check', { service: 'nobody' }));
  },

  async 'reflection names the service'() {
    const names = await new Promise((resolve, reject) => {
      const stream = reflection.ServerReflectionInfo({ deadline: Date.now() + MAX_MS });
      stream.on('data', (answer) =>
        resolve(answer.list_services_response.service.map((service) => service.name)));
      stream.on('error', reject);
      stream.write({ list_services: '' });
      stream.end();
    });
    assert.ok(names.includes('envoy.service.ratelimit.v3.RateLimitService'), String(names));
  },
};

(async () => {
  for (const [name, check] of Object.entries(checks)) {
    try {
      await check();
      console.log(`ok ${name}`);
    } catch (error) {
      console.log(`not ok ${name}: ${String(error.message).replaceAll('\n', ' ')}`);
    }
  }
  process.exit(0);
})();
