package dev.millrace.proving.soak.worker;

import java.net.URI;
import java.nio.file.Path;
import java.util.List;

/**
 * The arguments of a worker process.
 *
 * @param index which worker
 * @param life how often it was started, itself included
 * @param directory where it keeps its journal
 * @param dishonest whether it charges once behind its journal's back, to see that it is noticed
 */
public record WorkerSpec(
    int index, int life, URI endpoint, String table, Path directory, long seed, boolean dishonest) {
  /** Tells it from all others, also from its earlier lives. */
  public String name() {
    return "worker-" + index + "-" + life;
  }

  /** The next life of the same worker. */
  public WorkerSpec reborn() {
    return new WorkerSpec(index, life + 1, endpoint, table, directory, seed + 1, dishonest);
  }

  /** The command line that {@link #parse} reads. */
  public List<String> toArgs() {
    return List.of(
        String.valueOf(index),
        String.valueOf(life),
        endpoint.toString(),
        table,
        directory.toString(),
        String.valueOf(seed),
        String.valueOf(dishonest));
  }

  static WorkerSpec parse(String[] args) {
    return new WorkerSpec(
        Integer.parseInt(args[0]),
        Integer.parseInt(args[1]),
        URI.create(args[2]),
        args[3],
        Path.of(args[4]),
        Long.parseLong(args[5]),
        Boolean.parseBoolean(args[6]));
  }
}
