package dev.millrace.simulator;

import dev.millrace.BucketKey;
import dev.millrace.Consistency;
import dev.millrace.Limit;
import dev.millrace.admin.LimitTarget;
import dev.millrace.admin.NamespaceAdmin;
import dev.millrace.admin.NewEntity;
import dev.millrace.core.spi.bucket.BucketState;
import dev.millrace.core.spi.bucket.BucketState.LimitState;
import dev.millrace.core.spi.plan.PlanSettings;
import dev.millrace.core.spi.store.StoreCall;
import dev.millrace.simulator.oracle.ChargeLedger;
import dev.millrace.simulator.oracle.Promise;
import dev.millrace.simulator.oracle.TableOracle;
import dev.millrace.simulator.oracle.TableWrite;
import dev.millrace.simulator.oracle.Violation;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Plays one history from beginning to end, and judges it. */
public final class Simulation {
  private static final long NANOS_PER_MICRO = 1_000;
  private static final long NANOS_PER_MS = 1_000_000;
  private static final long NANOS_PER_SECOND = 1_000_000_000;

  /** A hundred times as many as a long history has: more is a circle. */
  private static final long MAX_EVENTS = 2_000_000;

  /** How long everything is left alone before and after the processes are closed. */
  private static final long CALM_NANOS = 60 * NANOS_PER_SECOND;

  /** Most writes for a hundred buckets that requests and settlements are about, see P5. */
  private static final long MAX_WRITES_PERCENT = 160;

  /** Writes that have nothing to do with how much is asked. */
  private static final long CREATIONS = 30;

  /** Events follow each other without an end. */
  public static final class InCirclesException extends IllegalStateException {
    private static final long serialVersionUID = 1L;

    InCirclesException(String message) {
      super(message);
    }
  }

  private final Scenario scenario;
  private final SimulatedWorld setting;
  private final Loop loop;
  private final Chance chance;
  private final Coverage coverage = new Coverage();
  private final Trace trace;
  private final TableOracle oracle;
  private final ChargeLedger books;
  private final GoneLimits goneLimits = new GoneLimits();
  private final Accounts accounts;
  private final Network network;
  private final Table table;
  private final SimulatedTree tree;
  private final Changes changes;
  private final Promptness promptness;
  private final Finale finale;
  private final Origins origins;
  private final Absences absences = new Absences();
  private final SimulatedCallers callers;
  private final Operators operators;
  private final List<Node> nodes = new ArrayList<>();
  private final List<Life> lives = new ArrayList<>();
  private final Map<String, Life> running = new HashMap<>();

  private Simulation(
      Scenario scenario, Carriers carriers, Trace trace, UnaryOperator<StoreCall> tampering) {
    this.scenario = scenario;
    this.setting = scenario.setting();
    this.trace = trace;
    this.chance = new Chance(scenario.seed());
    this.loop = new Loop(chance, carriers, MAX_EVENTS);
    this.oracle = new TableOracle(PlanSettings.DEFAULT.grainMs(), PlanSettings.DEFAULT.maxSkewMs());
    this.books = new ChargeLedger(oracle);
    this.network = new Network(loop, setting.weather());
    Partitions partitions =
        new Partitions(
            setting.spread().throttles()
                ? setting.spread().unitsPerSecond()
                : Partitions.UNLIMITED);
    this.table =
        new Table(
            loop, setting.epochMs(), network, partitions, chance, trace, this::wrote, tampering);
    this.tree = new SimulatedTree(SimulatedWorld.NAMESPACE, setting.believedNanos());
    this.changes = new Changes(setting.believedNanos());
    this.accounts = new Accounts(books, goneLimits);
    this.promptness = new Promptness(setting, loop, table, changes);
    this.finale = new Finale(table, accounts, changes);
    this.origins =
        new Origins(scenario.actions().stream().anyMatch(action -> action instanceof Action.Move));
    Refusals refusals = new Refusals(setting, loop, table, changes, this::retry);
    Judge judge =
        new Judge(setting, loop, table, accounts, coverage, trace, changes, promptness, refusals);
    LeaseObserver leases = new LeaseObserver(loop, table, tree, accounts, coverage, trace);
    this.callers = new SimulatedCallers(loop, tree, judge, leases);
    this.operators =
        new Operators(
            loop,
            table,
            network,
            chance,
            coverage,
            trace,
            tree,
            changes,
            accounts,
            SimulatedWorld.NAMESPACE);
  }

  /** Plays {@code scenario}. */
  public static Report run(Scenario scenario, Carriers carriers, Trace trace) {
    return run(scenario, carriers, trace, UnaryOperator.identity());
  }

  /**
   * Plays {@code scenario} on a table that does not do what it is told.
   *
   * @param tampering what is done instead of each call, to see whether the oracle notices
   */
  static Report run(
      Scenario scenario, Carriers carriers, Trace trace, UnaryOperator<StoreCall> tampering) {
    Simulation simulation = new Simulation(scenario, carriers, trace, tampering);
    Throwable thrown = null;
    try {
      simulation.play();
    } catch (Violation | IllegalStateException e) {
      thrown = e;
    } finally {
      simulation.loop.close();
    }
    return simulation.report(thrown);
  }

  private Report report(@Nullable Throwable thrown) {
    return new Report(
        scenario.seed(),
        thrown,
        promptness.answers(),
        loop.executed(),
        table.writes(),
        loop.nowNanos(),
        oracle.worstBurst(),
        promptness.slowestPerMille(),
        trace.fingerprint(),
        coverage);
  }

  private void play() {
    setUp();
    for (Action action : scenario.actions()) {
      loop.at(action.atMicros() * NANOS_PER_MICRO, () -> act(action));
    }
    loop.runUntil(setting.micros() * NANOS_PER_MICRO);
    finale();
  }

  private void setUp() {
    NamespaceAdmin admin = operators.admin(table.store(), SimulatedWorld.NAMESPACE);
    for (SimulatedWorld.Kin kin : setting.entities()) {
      NewEntity entity = NewEntity.of(kin.entity());
      admin
          .entities()
          .create(kin.parent() == null ? entity : entity.under(kin.parent()).cascading());
      tree.entity(kin.entity(), kin.parent());
    }
    setting
        .limits()
        .forEach(
            (where, set) -> {
              String[] names = where.split("/", 2);
              admin.limits().set(LimitTarget.entityResource(names[0], names[1]), set);
              tree.limits(names[0], names[1], set);
              changes.limits(names[0], names[1], set);
            });
    setting
        .byResource()
        .forEach((resource, set) -> admin.limits().set(LimitTarget.resource(resource), set));
    setting
        .byCall()
        .forEach(
            (where, set) -> {
              String[] names = where.split("/", 2);
              tree.limits(names[0], names[1], set);
            });
    for (NodeSpec spec : setting.nodes()) {
      Clock clock = new Clock(loop, setting.epochMs(), spec.clockOffsetMs(), spec.driftPpm());
      Node node =
          new Node(spec, clock, life -> born(spec, clock, chance.split(spec.name()).split(life)));
      nodes.add(node);
      node.start();
    }
  }

  private Life born(NodeSpec spec, Clock clock, Chance luck) {
    Life life = new Life(spec, loop, clock, luck, coverage, table, network, setting);
    life.onTrouble((key, joint) -> accounts.trouble(life, key, joint));
    life.onAgain(key -> accounts.comeAgain(life, key));
    lives.add(life);
    running.put(spec.name(), life);
    return life;
  }

  private void wrote(List<TableWrite> together) {
    for (TableWrite write : together) {
      if (write.before() == null || write.after() == null) {
        operators.madeAnew(write.key());
      }
      if (write.source() == TableWrite.Source.OPERATOR) {
        operators.requireGift(write);
      }
    }
    oracle.wrote(together);
    together.forEach(this::judge);
  }

  private void judge(TableWrite write) {
    origins.wrote(write);
    changes.requireKept(write);
    requireWhole(write);
    promptness.wrote(write);
    goneLimits.wrote(write.key(), write.after(), loop.nowNanos());
    books.check(write.key().withShard(0));
    Life writer = running.get(write.writer());
    if (writer != null && writer.spec().prefetch()) {
      note(writer, write);
    }
  }

  /** A bucket that nobody writes hard does not grow because the table as a whole throttles. */
  private void requireWhole(TableWrite write) {
    BucketState after = write.after();
    if (after != null
        && after.shardCount() > 1
        && scenario.kind() == Scenario.Kind.TABLE_THROTTLING) {
      throw new Violation(
          Promise.CONSTANT_COST, write.writer() + " divides a bucket that is not hot: " + after);
    }
  }

  /** Throttling makes requests come later, and hardly dearer. */
  private void requireCheap() {
    long most = accounts.buckets() * MAX_WRITES_PERCENT / 100 + CREATIONS;
    if (scenario.kind() == Scenario.Kind.TABLE_THROTTLING && table.writes() > most) {
      throw new Violation(
          Promise.CONSTANT_COST,
          table.writes() + " writes for " + accounts.buckets() + " buckets of requests");
    }
  }

  private void note(Life writer, TableWrite write) {
    if (write.after() == null) {
      return;
    }
    writer.stock().wrote(write.key().withShard(0), loop.nowNanos());
    for (LimitState after : write.after().limits()) {
      LimitState before = write.before() == null ? null : write.before().find(after.name());
      long milli = after.consumedMilli() - (before == null ? 0 : before.consumedMilli());
      if (milli < 0) {
        coverage.saw(Event.STOCK_RETURNED);
      }
    }
  }

  private void act(Action action) {
    if (action instanceof Action.Ask ask) {
      Life life = nodes.get(ask.node()).life();
      if (life != null) {
        if (absences.isBack(life.name(), ask.entity(), loop.nowNanos())) {
          coverage.saw(Event.BACK_AFTER_CHANGES);
        }
        callers.ask(ask, life);
      }
      return;
    }
    note(action);
    trace.tell(loop.nowNanos(), "world", action.atMicros(), action::toString);
    if (action instanceof Action.Crash crash) {
      crash(nodes.get(crash.node()), crash.downMicros());
    } else if (action instanceof Action.Redeploy redeploy) {
      redeploy(nodes.get(redeploy.node()));
    } else if (action instanceof Action.CutOff cutOff) {
      String name =
          cutOff.node() == nodes.size() ? operators.name() : nodes.get(cutOff.node()).spec().name();
      network.cutOff(name, cutOff.micros() * NANOS_PER_MICRO);
    } else if (action instanceof Action.Storm storm) {
      Weather before = setting.weather();
      network.weather(storm.weather());
      loop.after(storm.micros() * NANOS_PER_MICRO, () -> network.weather(before));
    } else if (action instanceof Action.SetClock set) {
      coverage.saw(set.byMs() > 0 ? Event.CLOCK_SET_FORWARD : Event.CLOCK_SET_BACK);
      nodes.get(set.node()).clock().jump(set.byMs());
    } else if (action instanceof Action.Expire) {
      int unused = table.expire(coverage::saw);
    } else if (!(action instanceof Action.Forget || action instanceof Action.Interrupt)) {
      operators.act(action);
    } else {
      disturb(action);
    }
  }

  private void note(Action action) {
    if (action instanceof Action.ChangeLimits to) {
      absences.changed(to.entity(), loop.nowNanos());
    } else if (action instanceof Action.Switch to) {
      absences.changed(to.entity(), loop.nowNanos());
    } else if (action instanceof Action.ChangeLevel) {
      absences.changedOther();
    }
  }

  private void disturb(Action action) {
    if (action instanceof Action.Forget forget) {
      Life life = nodes.get(forget.node()).life();
      if (life != null && forget.config()) {
        life.forgetConfig();
      } else if (life != null) {
        life.forgetBuckets();
      }
    } else if (action instanceof Action.Interrupt interrupt) {
      Life life = nodes.get(interrupt.node()).life();
      if (life != null) {
        life.interrupt();
      }
    }
  }

  private void crash(Node node, long downMicros) {
    node.crash();
    loop.after(
        downMicros * NANOS_PER_MICRO,
        () -> {
          coverage.saw(Event.RESTARTED);
          node.start();
        });
  }

  private void redeploy(Node node) {
    Life old = node.retire();
    if (old != null) {
      coverage.saw(Event.CLOSED);
      old.close(/* inPeace= */ false);
    }
    node.start();
  }

  /** Nothing goes wrong any more; everybody gets time to finish, and must have. */
  private void finale() {
    network.heal();
    loop.runUntil(loop.nowNanos() + Math.max(CALM_NANOS, setting.believedNanos()));
    if (!operators.isIdle()) {
      throw new Violation(Promise.NOBODY_WAITS_FOR_EVER, "an operator was never answered");
    }
    lastRound();
    for (Node node : nodes) {
      Life life = node.retire();
      if (life != null) {
        coverage.saw(Event.CLOSED);
        life.close(/* inPeace= */ true);
      }
    }
    loop.runUntil(loop.nowNanos() + CALM_NANOS);
    finale.requireNothingLeft(lives);
    books.checkAll();
    requireCheap();
    if (scenario.kind() == Scenario.Kind.TABLE_THROTTLING) {
      coverage.saw(Event.TABLE_THROTTLED, coverage.count(Event.THROTTLED));
    }
  }

  /** By now every process must go by what operators have set last, and so must every bucket. */
  private void lastRound() {
    Map<BucketKey, Long> asked = new LinkedHashMap<>();
    for (int i = 0; i < nodes.size(); i++) {
      Life life = nodes.get(i).life();
      for (String where : setting.limits().keySet()) {
        String[] names = where.split("/", 2);
        if (life != null && names[0].startsWith("key")) {
          Action.Ask ask = small(i, names[0], names[1]);
          callers.ask(ask, life);
          tree.parts(ask.entity(), ask.tokens(), loop.nowNanos())
              .forEach(part -> asked.putIfAbsent(part.key(), claimedMs(part.key())));
        }
      }
      loop.runUntil(loop.nowNanos() + CALM_NANOS);
    }
    asked.forEach(finale::requireCurrent);
  }

  private long claimedMs(BucketKey key) {
    BucketState state = table.state(key);
    return state == null ? Long.MIN_VALUE : state.refilledAtMs();
  }

  private Action.Ask small(int node, String entity, String resource) {
    Map<String, Long> one = new LinkedHashMap<>();
    for (Limit limit : Objects.requireNonNull(tree.limits(entity, resource))) {
      one.put(limit.name(), 1L);
    }
    return new Action.Ask(
        loop.nowNanos() / NANOS_PER_MICRO,
        node,
        entity,
        Map.of(resource, one),
        null,
        /* blocking= */ false,
        Consistency.PARALLEL,
        0,
        0,
        0,
        Map.of(),
        Map.of(),
        Action.End.CLOSE);
  }

  /** Asks again a millisecond before the time that was told, or at that time. */
  private void retry(CallerRequest call, long exactMs) {
    long nowMs = loop.nowNanos() / NANOS_PER_MS;
    long thenNanos = (nowMs + exactMs) * NANOS_PER_MS;
    if (thenNanos + NANOS_PER_SECOND >= nextAskNanos(loop.nowNanos())
        || call.expected() != ExpectedAnswer.ANYTHING) {
      return;
    }
    Life life = call.life();
    if (exactMs % 2 == 0) { // not both: the first may take what the second is to get
      loop.at(
          thenNanos - NANOS_PER_MS, () -> callers.ask(again(call), life, ExpectedAnswer.REFUSED));
    } else {
      loop.at(thenNanos, () -> callers.ask(again(call), life, ExpectedAnswer.GRANTED));
    }
    coverage.saw(Event.RETRIED_EXACTLY);
  }

  private static Action.Ask again(CallerRequest call) {
    Action.Ask ask = call.ask();
    return new Action.Ask(
        ask.atMicros(),
        ask.node(),
        ask.entity(),
        ask.tokens(),
        ask.limits(),
        ask.blocking(),
        ask.consistency(),
        0,
        0,
        0,
        Map.of(),
        Map.of(),
        Action.End.CLOSE);
  }

  private long nextAskNanos(long afterNanos) {
    long next = setting.micros() * NANOS_PER_MICRO;
    for (Action action : scenario.actions()) {
      long nanos = action.atMicros() * NANOS_PER_MICRO;
      if (nanos > afterNanos) {
        next = Math.min(next, nanos);
      }
    }
    return next;
  }
}
