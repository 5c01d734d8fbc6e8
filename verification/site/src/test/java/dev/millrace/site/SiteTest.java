package dev.millrace.site;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A small repository becomes a small site. */
class SiteTest {
  @TempDir
  @SuppressWarnings("NullAway.Init") // set by JUnit
  Path root;

  @BeforeEach
  void repository() throws IOException {
    Files.createDirectories(root.resolve("docs/adr"));
    write("pom.xml", "<project><version>1.2.3</version></project>");
    write("LICENSE", "terms");
    write(
        "README.md",
        "# Millrace\n\nSee [cost](docs/cost.md#the-sum), [terms](LICENSE), [why](docs/adr).\n");
    write("docs/cost.md", "# Cost\n\n## The sum\n\nBack to [start](../README.md).\n\n## The sum\n");
    write("docs/adr/001-first.md", "# ADR 001: First\n\nDone.\n");
  }

  private void write(String path, String text) throws IOException {
    Files.writeString(root.resolve(path), text);
  }

  private String page(String name) throws IOException {
    Site.build(root, root.resolve("out"));
    return Files.readString(root.resolve("out").resolve(name));
  }

  @Test
  void build_linksBetweenDocuments_becomeLinksBetweenPages() throws IOException {
    assertThat(page("index.html"))
        .contains("<a href=\"cost.html#the-sum\">cost</a>")
        .contains("<a href=\"files/LICENSE\">terms</a>")
        .contains("<a href=\"adr/index.html\">why</a>")
        .contains("Millrace 1.2.3");
    assertThat(page("adr/001-first.html")).contains("href=\"../index.html\"");
  }

  @Test
  void build_headingsOfTheSameText_haveAnchorsOfTheirOwn() throws IOException {
    assertThat(page("cost.html")).contains("<h2 id=\"the-sum\">", "<h2 id=\"the-sum-1\">");
  }

  @Test
  void build_linkToNoFile_saysWhere() throws IOException {
    write("docs/iam.md", "# IAM\n\nOne.\n\nGo [there](nowhere.md).\n");

    assertThatThrownBy(() -> page("index.html"))
        .isInstanceOf(SiteException.class)
        .hasMessageStartingWith("docs/iam.md:5: 'nowhere.md' leads nowhere");
  }

  @Test
  void build_linkToNoHeading_saysWhere() throws IOException {
    write("docs/iam.md", "# IAM\n\nGo [there](../README.md#nowhere).\n");

    assertThatThrownBy(() -> page("index.html"))
        .hasMessageContaining("docs/iam.md:3: ")
        .hasMessageContaining("README.md has no heading #nowhere");
  }

  @Test
  void build_htmlInADocument_isRefused() throws IOException {
    write("docs/iam.md", "# IAM\n\n<b>no</b>\n");

    assertThatThrownBy(() -> page("index.html")).hasMessageContaining("docs/iam.md:3: HTML");
  }

  @Test
  void build_commentsForTheTests_areNotShown() throws IOException {
    write("docs/iam.md", "# IAM\n\n<!-- given\nint x;\n-->\n```java\nint y = x;\n```\n");

    assertThat(page("iam.html"))
        .doesNotContain("given")
        .contains("<span class=\"word\">int</span> y");
  }

  @Test
  void document_withoutATitle_isRefused() {
    assertThatThrownBy(() -> Document.parse("x.md", "text\n"))
        .hasMessageContaining("x.md:1: does not begin with a heading");
  }

  @Test
  void document_blocks_knowTheirPlaceAndWhatIsGiven() {
    Document document =
        Document.parse("x.md", "# X\n\n<!-- given\nint x;\n-->\n\n```yaml manifest\na: 1\n```\n");

    assertThat(document.blocks())
        .singleElement()
        .satisfies(
            block -> {
              assertThat(block.place()).isEqualTo("x.md:7");
              assertThat(block.language()).isEqualTo("yaml");
              assertThat(block.reader()).isEqualTo("manifest");
              assertThat(block.given()).isEqualTo("int x;\n\n");
            });
  }
}
