package dev.millrace.benchmarks.peers;

import dev.millrace.benchmarks.load.Ask;
import dev.millrace.benchmarks.load.Measurement;
import java.util.ArrayList;
import java.util.List;
import org.HdrHistogram.Histogram;

/** One peer at one kind of work, round after round. */
final class Contest {
  private final Peer peer;
  private final String workload;
  private final Ask ask;
  private final List<Measurement> rounds = new ArrayList<>();

  Contest(Peer peer, String workload, List<String> keys) {
    this.peer = peer;
    this.workload = workload;
    this.ask = peer.ask(keys);
  }

  Peer peer() {
    return peer;
  }

  String workload() {
    return workload;
  }

  /** The same in every round: what was learnt in one is not forgotten in the next. */
  Ask ask() {
    return ask;
  }

  void add(Measurement round) {
    rounds.add(round);
  }

  Comparison.Row row() {
    double[] perSecond =
        rounds.stream()
            .mapToDouble(round -> round.counts().admitted() / round.seconds())
            .sorted()
            .toArray();
    Histogram latencies = rounds.get(0).latencies().copy();
    rounds.stream().skip(1).forEach(round -> latencies.add(round.latencies()));
    return new Comparison.Row(
        peer.name(),
        peer.scope().toString(),
        workload,
        perSecond[perSecond.length / 2],
        latencies.getValueAtPercentile(50) / 1e3,
        latencies.getValueAtPercentile(99) / 1e3);
  }
}
