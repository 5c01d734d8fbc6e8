package dev.millrace.testkit.internal.history;

/**
 * One caller of a process. A caller asks one thing at a time.
 *
 * @param process the process, or what stands for one: a limiter of its own
 * @param number which caller of it
 */
public record CallerId(String process, int number) {
  @Override
  public String toString() {
    return process + "/" + number;
  }
}
