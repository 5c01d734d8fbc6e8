package dev.millrace.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Help;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Model.CommandSpec;

class DemoPrinterTest {
  private final StringWriter out = new StringWriter();

  private DemoPrinter printer(Ansi ansi, boolean json) {
    CommandLine command =
        new CommandLine(CommandSpec.create())
            .setOut(new PrintWriter(out, true))
            .setColorScheme(Help.defaultColorScheme(ansi));
    return new DemoPrinter(command, json);
  }

  @Test
  void begin_withColours_isStyled() {
    printer(Ansi.ON, false).begin(1, "Title", "Story.");

    assertThat(out.toString()).contains("\u001b[1m1  Title");
  }

  @Test
  void begin_longStory_isWrapped() {
    printer(Ansi.OFF, false).begin(1, "Title", "word ".repeat(40).strip());

    assertThat(out.toString().lines()).hasSizeGreaterThan(3);
    assertThat(out.toString().lines()).allMatch(line -> line.length() <= 88);
  }

  @Test
  void begin_forMachines_printsNothing() {
    printer(Ansi.ON, true).begin(1, "Title", "Story.");

    assertThat(out.toString()).isEmpty();
  }
}
