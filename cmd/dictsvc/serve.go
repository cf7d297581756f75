package main

import (
	"fmt"
	"log/slog"
	"os"
	"os/signal"
	"syscall"

	"github.com/urfave/cli/v2"

	"dictsvc/server"
)

func serveCommand() *cli.Command {
	return &cli.Command{
		Name:      "serve",
		Usage:     "answer ClickHouse clients over the native protocol",
		ArgsUsage: " ",
		Description: `Prints one line "dictsvc ready tcp=ADDR" when it accepts connections; SIGTERM or Ctrl-C ends it.

Examples:
   dictsvc serve
   dictsvc serve --tcp 127.0.0.1:9000 --data ./data --load users.dict
   dictsvc serve --config server.yaml`,
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "tcp", Usage: "`ADDR` to listen on", Value: "127.0.0.1:9000"},
			&cli.StringFlag{Name: "data", Usage: "`DIR` where definitions are kept; without it they are gone at the end"},
			&cli.StringSliceFlag{Name: "load", Usage: "a snapshot `FILE.dict` to serve; may be repeated"},
			&cli.StringFlag{Name: "config", Usage: "`FILE.yaml` with users, limits and settings; flags go before it"},
			&cli.StringFlag{Name: "user-files", Usage: "`DIR` below which file() and SOURCE(FILE) may read (default: DATA/user_files)"},
		},
		Action: serve,
	}
}

func serve(c *cli.Context) error {
	if c.Args().Present() {
		return usage("serve: what is %q?", c.Args().First())
	}
	conf := &server.Config{}
	if path := c.String("config"); path != "" {
		var err error
		if conf, err = server.ReadConfig(path); err != nil {
			return err
		}
	}
	if c.IsSet("tcp") || conf.TCP == "" {
		conf.TCP = c.String("tcp")
	}
	if c.IsSet("data") {
		conf.Data = c.String("data")
	}
	if c.IsSet("user-files") {
		conf.UserFiles = c.String("user-files")
	}
	if conf.UserFiles == "" && conf.Data != "" {
		conf.UserFiles = conf.Data + "/user_files"
	}
	conf.Load = append(conf.Load, c.StringSlice("load")...)
	conf.Logger = slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: slog.LevelWarn}))

	defer tendHeap()()
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, syscall.SIGTERM, os.Interrupt)
	s, err := server.Start(conf)
	if err != nil {
		return err
	}
	fmt.Fprintf(c.App.Writer, "dictsvc ready tcp=%s\n", s.Addr())
	select {
	case <-signals:
		return s.Close()
	case err := <-s.Done():
		s.Close()
		return err
	}
}
