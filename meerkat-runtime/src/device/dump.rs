//! `MEERKAT_DUMP=dir`: what each kernel became, as files to look at.

use crate::cuda::{Compiled, CudaError, Image, Options, Source, nvrtc};
use crate::program::KernelInfo;
use std::path::Path;
use std::process::Command;

/// Writes text, PTX, image, SASS (where `cuobjdump` is on the path) and log of a
/// kernel. It is there for a person to read: what cannot be written is left out.
pub(super) fn kernel(
    info: &KernelInfo,
    text: &str,
    options: &Options,
    compiled: Result<&Compiled, &CudaError>,
) {
    let Some(folder) = std::env::var_os("MEERKAT_DUMP") else { return };
    let folder = Path::new(&folder);
    if std::fs::create_dir_all(folder).is_err() {
        return;
    }
    let write = |extension: &str, bytes: &[u8]| {
        let path = folder.join(format!("{}.{extension}", info.name()));
        std::fs::write(&path, bytes).ok().map(|()| path)
    };
    write("cu", text.as_bytes());
    let name = info.program_name();
    if let Ok(ptx) = nvrtc::compile_ptx(&Source { name: &name, text }, options) {
        write("ptx", ptx.as_bytes());
    }
    match compiled {
        Err(error) => {
            write("log", error.to_string().as_bytes());
        }
        Ok(compiled) => {
            write("log", compiled.log().as_bytes());
            if compiled.kind() == Image::Cubin
                && let Some(cubin) = write("cubin", compiled.image())
                && let Ok(listing) =
                    Command::new("cuobjdump").arg("--dump-sass").arg(cubin).output()
            {
                write("sass", &listing.stdout);
            }
        }
    }
}
