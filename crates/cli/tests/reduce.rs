//! `nub reduce`, end to end: both conventions and their options.

#![allow(clippy::disallowed_methods, clippy::unwrap_used)] // tests start programs and write files

mod common;

use common::{Bench, names};

#[track_caller]
fn check_small(bench: &Bench, name: &str) -> String {
    let text = bench.read(name);
    assert!(text.contains("bvudiv") && text.contains("check-sat"), "{text}");
    assert!(text.len() < bench.read("bug.smt2").len() / 4, "{text}");
    text
}

#[test]
fn golden() {
    let bench = Bench::new();
    let run = bench.nub(&["reduce", "bug.smt2", "--", "./solver"]).expect(0);
    assert_eq!(run.stdout, "bug.reduced.smt2\n./solver bug.reduced.smt2\n");
    assert!(run.stderr.contains("failed in 2 of 2 more runs"), "{}", run.stderr);
    let text = check_small(&bench, "bug.reduced.smt2");
    assert!(
        text.starts_with("; nub: ./solver bug.reduced.smt2 -> SIGABRT\n") && text.ends_with('\n'),
        "{text}"
    );
    assert_eq!(bench.names(), ["bug.reduced.smt2", "bug.smt2", "solver", "test.sh"], "no run folder is left");
}

#[test]
fn script() {
    let bench = Bench::new();
    let run = bench.nub(&["reduce", "bug.smt2", "-o", "out.smt2", "--test", "./test.sh", "-q"]).expect(0);
    assert_eq!(run.stdout, "out.smt2\n./test.sh out.smt2\n");
    assert_eq!(run.stderr, "");
    check_small(&bench, "out.smt2");
}

#[test]
fn script_with_arguments() {
    let bench = Bench::new();
    bench.program("test.sh", "#!/bin/sh\ngrep -q \"$1\" \"$2\"\n");
    bench.nub(&["reduce", "bug.smt2", "--test", "./test.sh", "--", "bvudiv"]).expect(0);
    assert!(bench.read("bug.reduced.smt2").contains("bvudiv"));
}

#[test]
fn same_result_every_time_with_one_job() {
    let bench = Bench::new();
    for out in ["a.smt2", "b.smt2"] {
        let args = ["reduce", "bug.smt2", "-j1", "--no-header", "-o", out, "--", "./solver"];
        bench.nub(&args).expect(0);
    }
    assert_eq!(bench.read("a.smt2"), bench.read("b.smt2"));
    assert!(!bench.read("a.smt2").starts_with(';'));
}

#[test]
fn no_header_if_the_failure_vanishes_with_it() {
    let bench = Bench::new();
    bench.program("test.sh", "#!/bin/sh\ngrep -q bvudiv \"$1\" && ! grep -q ';' \"$1\"\n");
    bench.nub(&["reduce", "bug.smt2", "--test", "./test.sh"]).expect(0);
    let text = bench.read("bug.reduced.smt2");
    assert!(text.contains("bvudiv") && !text.contains(';'), "{text}");
}

#[test]
fn no_last_newline_if_the_failure_vanishes_with_it() {
    let bench = Bench::new();
    bench.write("bug.smt2", "(check-sat)(assert bvudiv)");
    bench.program(
        "test.sh",
        "#!/bin/sh\ngrep -q bvudiv \"$1\" && [ $(tail -c1 \"$1\") = ')' ] && [ $(wc -l <\"$1\") = 0 ]\n",
    );
    bench.nub(&["reduce", "bug.smt2", "--any", "--test", "./test.sh"]).expect(0);
    let text = bench.read("bug.reduced.smt2");
    assert!(text.ends_with(')'), "{text:?}");
}

#[test]
fn not_reduced() {
    let bench = Bench::new();
    bench.write("bug.smt2", "(check-sat)");
    bench.program("test.sh", "#!/bin/sh\n[ \"$(cat \"$1\")\" = '(check-sat)' ]\n");
    let run = bench.nub(&["reduce", "bug.smt2", "--test", "./test.sh"]).expect(1);
    assert_eq!(run.stdout, "");
    assert!(run.stderr.contains("not reduced"));
    assert_eq!(bench.names(), ["bug.smt2", "solver", "test.sh"]);
}

#[test]
fn standard_input_and_shell() {
    let bench = Bench::new();
    bench.program("solver", "#!/bin/sh\ngrep -q bvudiv && exit 7\nexit 0\n");
    let run = bench.nub(&["reduce", "bug.smt2", "--stdin", "--", "./solver"]).expect(0);
    assert!(run.stdout.ends_with("./solver < bug.reduced.smt2\n"), "{}", run.stdout);
    let shell = "grep -c bvudiv {} > /dev/null && exit 9";
    let run = bench.nub(&["reduce", "bug.smt2", "--shell", "--", shell]).expect(0);
    assert!(run.stdout.contains("grep -c bvudiv bug.reduced.smt2 >"), "{}", run.stdout);
    assert!(bench.read("bug.reduced.smt2").contains("bvudiv"));
}

#[test]
fn cross_check_keeps_both() {
    let bench = Bench::new();
    bench.program("wrong", "#!/bin/sh\ngrep -q bvudiv \"$1\" && { echo unsat; exit; }\necho sat\n");
    bench.program(
        "right one",
        "#!/bin/sh\n[ \"$1\" = 'a b' ] || exit 1\ngrep -q check-sat \"$2\" && echo sat\n",
    );
    let args = ["reduce", "bug.smt2", "--cross-check", "'./right one' 'a b'", "--", "./wrong"];
    bench.nub(&args).expect(0);
    let text = check_small(&bench, "bug.reduced.smt2");
    let header =
        "; nub: ./wrong bug.reduced.smt2 -> unsat\n; nub: './right one' 'a b' bug.reduced.smt2 -> sat\n";
    assert!(text.starts_with(header), "{text}");
}

#[test]
fn patterns() {
    let bench = Bench::new();
    let args = ["reduce", "bug.smt2", "--match-err", "/Assertion .width/", "--", "./solver"];
    bench.nub(&args).expect(0);
    check_small(&bench, "bug.reduced.smt2");
}

#[test]
fn hang() {
    let bench = Bench::new();
    bench.program("solver", "#!/bin/sh\ngrep -q bvudiv \"$1\" && exec sleep 100\nexit 0\n");
    let args = ["reduce", "bug.smt2", "--hang", "--timeout", "0.15", "--max-asks", "60", "--", "./solver"];
    bench.nub(&args).expect(0);
    assert!(bench.read("bug.reduced.smt2").contains("bvudiv"));
}

#[test]
fn keep_protects_commands() {
    let bench = Bench::new();
    let args = ["reduce", "bug.smt2", "--keep", "set-logic", "--keep", "/word3 .*word3 /", "--", "./solver"];
    bench.nub(&args).expect(0);
    let text = bench.read("bug.reduced.smt2");
    assert!(text.contains("(set-logic QF_BV)"), "{text}");
}

#[test]
fn limits_on_asks_and_time() {
    let bench = Bench::new();
    let run = bench.nub(&["reduce", "bug.smt2", "-j1", "--max-asks", "3", "--", "./solver"]).expect(0);
    assert!(run.stderr.contains("--max-asks reached"), "{}", run.stderr);
    bench.program("solver", &format!("{}\nsleep 0.05\n", common::CRASHING));
    let run = bench.nub(&["reduce", "bug.smt2", "-j1", "--max-time", "0.6", "--", "./solver"]);
    assert!(run.stderr.contains("--max-time reached"), "{run:#?}");
    assert!(run.code == Some(0) || run.code == Some(1));
}

/// The command hangs on a file with a header, which is first run after the search: the final checks do not wait for it.
#[test]
fn the_time_limit_covers_the_final_checks() {
    let bench = Bench::new();
    let endless = "#!/bin/sh\n[ \"$(head -c 1 \"$1\")\" = ';' ] && sleep 100000\n";
    bench.program("solver", &common::CRASHING.replacen("#!/bin/sh\n", endless, 1));
    let args = ["reduce", "bug.smt2", "-j1", "--max-time", "6", "--timeout", "200000", "--", "./solver"];
    let run = bench.nub(&args);
    assert!(run.stderr.contains("the file on disk was not checked again"), "{run:#?}");
    assert!(!bench.read("bug.reduced.smt2").starts_with(';'), "{run:#?}");
}

#[test]
fn dry_run_prints_the_command_and_does_nothing() {
    let bench = Bench::new();
    let args = ["reduce", "bug.smt2", "--dry-run", "--cross-check", "cvc5 -q", "--", "z3", "-in put", "{}"];
    let run = bench.nub(&args).expect(0);
    assert_eq!(run.stdout, "z3 '-in put' bug.smt2\ncvc5 -q bug.smt2\n");
    assert_eq!(bench.names(), ["bug.smt2", "solver", "test.sh"]);
}

#[test]
fn history_stays() {
    let bench = Bench::new();
    bench.nub(&["reduce", "bug.smt2", "-j1", "--history", "--", "./solver"]).expect(0);
    let history = names(&bench.path("bug.reduced.smt2.nub/history"));
    assert!(history.len() > 2 && history[0].starts_with("000000-") && history[0].ends_with(".smt2"));
    assert_eq!(
        names(&bench.path("bug.reduced.smt2.nub")),
        ["events.jsonl", "history", "job.json", "journal", "lock", "memo"]
    );
}

/// What a page of a reduction contains: the view's data.
fn page_data(bench: &Bench, name: &str) -> serde_json::Value {
    let page = bench.read(name);
    let data = page.split("id=\"report\">").nth(1).unwrap().split("</script>").next().unwrap();
    serde_json::from_str(data).unwrap()
}

#[test]
fn a_page_has_every_step_and_the_run_folder_goes() {
    let bench = Bench::new();
    let run = bench
        .nub(&["reduce", "bug.smt2", "-j1", "--json", "--html", "page.html", "--", "./solver"])
        .expect(0);
    assert!(run.stdout.lines().last().unwrap().contains(r#""type":"end""#), "the end is the last event");
    assert_eq!(bench.names(), ["bug.reduced.smt2", "bug.smt2", "page.html", "solver", "test.sh"]);
    let data = page_data(&bench, "page.html");
    let answers = &data["answers"];
    let lines = answers["/api/jobs/report/lines"].as_array().unwrap();
    let n_accepted = lines.iter().filter(|line| line["type"] == "accepted").count();
    let steps = answers["/api/jobs/report/steps"].as_array().unwrap();
    assert!(n_accepted > 2 && steps.len() == n_accepted && steps.iter().all(|step| step.is_array()));
    assert_eq!(lines.last().unwrap()["type"], "end");
    assert_eq!(answers["/api/file\nbug.smt2"], bench.read("bug.smt2"));
    assert_eq!(answers["/api/file\nbug.reduced.smt2"], bench.read("bug.reduced.smt2"));
    assert!(
        answers["/api/graph\nbug.reduced.smt2"]["nodes"].as_array().is_some_and(|nodes| !nodes.is_empty())
    );
}

/// The page of a resumed run has the steps of both parts.
#[test]
fn a_resumed_run_has_a_page_of_all_of_it() {
    let bench = Bench::new();
    let args = ["reduce", "bug.smt2", "-j1", "--html", "page.html", "--keep-run-folder"];
    bench.nub(&[&args[..], &["--max-asks", "30", "--", "./solver"]].concat()).expect(0);
    let first = page_data(&bench, "page.html")["answers"]["/api/jobs/report/steps"].as_array().unwrap().len();
    bench.nub(&[&args[..], &["--resume", "--", "./solver"]].concat()).expect(0);
    let steps = page_data(&bench, "page.html")["answers"]["/api/jobs/report/steps"].clone();
    assert!(
        steps.as_array().is_some_and(|steps| steps.len() > first && steps.iter().all(|step| step.is_array())),
        "{steps}"
    );
}

#[test]
fn a_page_never_takes_the_place_of_the_input_or_the_result() {
    let bench = Bench::new();
    let before = bench.read("bug.smt2");
    for name in ["bug.smt2", "./bug.smt2", "out.smt2"] {
        let run =
            bench.nub(&["reduce", "bug.smt2", "-o", "out.smt2", "--html", name, "--", "./solver"]).expect(2);
        assert!(run.stderr.contains("cannot be the page as well"), "{}", run.stderr);
    }
    bench.nub(&["reduce", "bug.smt2", "--html", "no/such/page.html", "--", "./solver"]).expect(4);
    assert_eq!(bench.read("bug.smt2"), before);
    assert_eq!(bench.names(), ["bug.smt2", "solver", "test.sh"]);
}

#[test]
fn a_meddling_oracle_does_no_harm() {
    let bench = Bench::new();
    let meddling =
        "#!/bin/sh\ngrep -q bvudiv \"$1\" && r=0 || r=1\nrm -rf ./* \"$1\"; mkdir litter; cd /; exit $r\n";
    bench.program("test.sh", meddling);
    bench.nub(&["reduce", "bug.smt2", "--test", "./test.sh"]).expect(0);
    assert!(bench.read("bug.reduced.smt2").contains("bvudiv"));
    assert_eq!(bench.names(), ["bug.reduced.smt2", "bug.smt2", "solver", "test.sh"]);
}

#[test]
fn ill_formed_input_with_any() {
    let bench = Bench::new();
    bench.write("bug.smt2", "(check-sat)\n(assert (bvudiv x\n(declare-const y Int)\n");
    bench.nub(&["reduce", "bug.smt2", "--any", "--", "./solver"]).expect(0);
    assert!(bench.read("bug.reduced.smt2").contains("bvudiv"));
}
