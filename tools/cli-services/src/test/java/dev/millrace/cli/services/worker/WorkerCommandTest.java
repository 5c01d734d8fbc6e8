package dev.millrace.cli.services.worker;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/** What is refused before anything is started. */
class WorkerCommandTest {
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @Test
  void call_optionsThatMakeNoSense_saysWhichAndWhy() {
    assertRefused("either --embedded or --endpoint", "--embedded", "--endpoint=http://h:1");
    assertRefused("--data only goes with --embedded", "--data=/tmp");
    assertRefused("--health-port 70000 must be from 0 to 65535", "--health-port=70000");
    assertRefused("--max-lag 0 must be at least 1", "--max-lag=0");
    assertRefused("--seconds 0.0 must be above 0", "--seconds=0");
    assertRefused("failover PT0.1S must be from PT1S to PT10M", local("--failover=0.1"));
    assertRefused("batch size 0 must be from 1 to 1000", local("--batch=0"));
    assertRefused("'s3:x' is not of the form s3://bucket/prefix", local("--archive=s3:x"));
    assertRefused("is in a directory that does not exist", local("--dead-letters=/no/where/x"));
    assertRefused("--zone Mars/Base is no time zone", local("--zone=Mars/Base"));
    assertRefused("Invalid value for option '--from'", local("--from=somewhere"));
  }

  @Test
  void replay_wrongPlace_isRefused() {
    assertRefused("Missing required option: '--from=PLACE'", "replay");
    assertRefused("is no file that can be read", "replay", "--endpoint=http://h:1", "--from=/no");
  }

  @Test
  void call_engineNotThere_exitsWithThree() {
    assertThat(run("--endpoint=http://127.0.0.1:1")).isEqualTo(5);
    assertThat(err.toString()).startsWith("worker: ");
  }

  private static String[] local(String option) {
    return new String[] {"--endpoint=http://127.0.0.1:1", option};
  }

  private void assertRefused(String message, String... args) {
    assertThat(run(args)).as(message).isEqualTo(2);
    assertThat(err.toString()).contains(message);
    err.getBuffer().setLength(0);
  }

  private int run(String... args) {
    return new CommandLine(new WorkerCommand())
        .setOut(new PrintWriter(out))
        .setErr(new PrintWriter(err))
        .execute(args);
  }
}
